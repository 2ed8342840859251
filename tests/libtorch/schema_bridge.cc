#include "tests/libtorch/schema_bridge.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty.h>
#include <torch/csrc/utils/schema_info.h>

#include <algorithm>

#include "tests/libtorch/schema_facts.h"

namespace gb::tests::libtorch {
namespace {

template <class Asked>
std::string memory(Asked& asked, const c10::FunctionSchema& schema) {
  return memory_facts<c10::SchemaArgument, c10::SchemaArgType>(asked, schema.arguments().size(),
                                                               schema.returns().size());
}

SchemaFacts facts_of(const c10::FunctionSchema& schema, const at::Tensor& shared) {
  torch::utils::SchemaInfo info(schema), info_shared(schema);
  std::unordered_map<std::string, at::IValue> values;
  for (const c10::Argument& a : schema.arguments())
    if (a.type()->kind() == c10::TypeKind::TensorType) values[a.name()] = shared;
  info_shared.addArgumentValues(values);
  return {c10::toString(schema), annotations(schema), memory(schema, schema), memory(info, schema),
          memory(info_shared, schema)};
}

}  // namespace

std::vector<SchemaFacts> all_schema_facts() {
  std::vector<SchemaFacts> all;
  const at::Tensor shared = at::empty({1});
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames())
    if (const auto handle = c10::Dispatcher::singleton().findSchema(name))
      all.push_back(facts_of(handle->schema(), shared));
  std::sort(all.begin(), all.end(), [](const SchemaFacts& a, const SchemaFacts& b) { return a.text < b.text; });
  return all;
}

}  // namespace gb::tests::libtorch
