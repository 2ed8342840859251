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

// Where the two differ, and why. The list is complete: anything else is a failure, and so is an entry without a
// difference.
struct KnownDifference {
  const char* start;  // of the schema
  const char* what;
  const char* why;
};
constexpr KnownDifference kKnown[] = {
    {"static_runtime::clamp_nan_to_num(", "refused", "two arguments of one name: refused on purpose"},
    {"static_runtime::select_tensor(", "text", "LibTorch prints the sets (b|a) in the order of a hash table"},
    {"_c10d_functional::all_reduce_coalesced_(", "memory", "LibTorch compares list types by pointer"},
    {"_c10d_functional::all_reduce_coalesced_(", "info", "likewise"},
    {"_c10d_functional::all_reduce_coalesced_(", "info_shared", "likewise"},
    {"aten::sym_is_contiguous(", "annotations", "a SymBool is held as a bool here, as a SymBool there"},
    {"aten::cudnn_batch_norm.out(", "info", "LibTorch's list of operators that update statistics lacks it"},
    {"aten::cudnn_batch_norm.out(", "info_shared", "likewise"},
    {"aten::miopen_batch_norm.out(", "info", "likewise"},
    {"aten::miopen_batch_norm.out(", "info_shared", "likewise"},
};

}  // namespace

TEST_CASE("every schema of LibTorch: read, printed back, and understood alike") {
  const std::vector<libtorch::SchemaFacts> all = libtorch::all_schema_facts();
  CHECK(all.size() > 3000);
  const Tensor shared = detail::make_tensor<TensorImpl>(
      Storage(Storage::use_byte_size_t(), 4, GetCPUAllocator()), DispatchKey::CPU, TypeMeta(kFloat));
  std::map<std::string, int> equal, known;
  for (const libtorch::SchemaFacts& theirs : all) {
    CAPTURE(theirs.text);
    const auto compare = [&](const std::string& what, const std::string& a, const std::string& b) {
      const auto listed = std::find_if(std::begin(kKnown), std::end(kKnown), [&](const KnownDifference& k) {
        return theirs.text.rfind(k.start, 0) == 0 && what == k.what;
      });
      const bool expected_equal = listed == std::end(kKnown);
      CHECK_MESSAGE((a == b) == expected_equal, what, "\nglassbox:\n", a, "\nLibTorch:\n", b);
      ++(expected_equal ? equal : known)[what];
    };
    std::optional<FunctionSchema> parsed;
    std::string refused;
    try {
      parsed = jit::parseSchema(theirs.text);
    } catch (const std::exception& e) {
      refused = e.what();
    }
    compare("refused", refused, "");
    if (!parsed) continue;
    const libtorch::SchemaFacts ours = facts_of(*parsed, shared);
    compare("text", ours.text, theirs.text);
    compare("annotations", ours.annotations, theirs.annotations);
    compare("memory", ours.memory, theirs.memory);
    compare("info", ours.info, theirs.info);
    compare("info_shared", ours.info_shared, theirs.info_shared);
  }
  for (const auto& [what, count] : equal) MESSAGE(what, ": equal ", count, ", known differences ", known[what]);
  int found = 0;
  for (const auto& [what, count] : known) found += count;
  CHECK(found == std::size(kKnown));
}

}  // namespace gb::tests
