// glassbox's parser reads every schema that LibTorch registers, prints it back unchanged, and says the same of it:
// annotations, what is written, what may share memory with what, with and without values.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "dispatcher/schema_info.h"
#include "dispatcher/schema_parser.h"
#include "tests/libtorch/schema_bridge.h"
#include "tests/libtorch/schema_facts.h"

namespace gb::tests {
namespace {



template <class Asked>
std::string memory(Asked& asked, const FunctionSchema& schema) {
  return memory_facts<SchemaArgument, SchemaArgType>(asked, schema.arguments().size(), schema.returns().size());
}

libtorch::SchemaFacts facts_of(const FunctionSchema& schema, const Tensor& shared) {
  utils::SchemaInfo info(schema), info_shared(schema);
  std::unordered_map<std::string, IValue> values;
  for (const Argument& a : schema.arguments())
    if (a.type()->kind() == TypeKind::TensorType) values[a.name()] = shared;
  info_shared.addArgumentValues(values);
  return {to_string(schema), annotations(schema), memory(schema, schema), memory(info, schema),
          memory(info_shared, schema)};
}

}  // namespace

TEST_CASE("every schema of LibTorch: read, printed back, and understood alike") {
  const std::vector<libtorch::SchemaFacts> all = libtorch::all_schema_facts();
  CHECK(all.size() > 3000);
  const Tensor shared = detail::make_tensor<TensorImpl>(
      Storage(Storage::use_byte_size_t(), 4, GetCPUAllocator()), DispatchKey::CPU, TypeMeta(kFloat));
  std::map<std::string, int> counts;
  for (const libtorch::SchemaFacts& theirs : all) {
    CAPTURE(theirs.text);
    std::optional<FunctionSchema> parsed;
    try {
      parsed = jit::parseSchema(theirs.text);
    } catch (const std::exception& e) {
      ++counts["refused"];
      CHECK_MESSAGE(false, e.what());
      continue;
    }
    const libtorch::SchemaFacts ours = facts_of(*parsed, shared);
    const auto compare = [&](const char* what, const std::string& a, const std::string& b) {
      const bool equal = a == b;
      ++counts[std::string(what) + (equal ? " equal" : " different")];
      CHECK_MESSAGE(equal, what, " of ", theirs.text, "\nglassbox:\n", a, "\nLibTorch:\n", b);
    };
    compare("text", ours.text, theirs.text);
    compare("annotations", ours.annotations, theirs.annotations);
    compare("memory", ours.memory, theirs.memory);
    compare("info", ours.info, theirs.info);
    compare("info_shared", ours.info_shared, theirs.info_shared);
  }
  for (const auto& [what, count] : counts) MESSAGE(what, ": ", count);
}

}  // namespace gb::tests
