#include "library/no_alias.h"

#include <fmt/format.h>

#include "core/error.h"
#include "library/registration.h"

namespace gb::detail {
namespace {

bool share(const Tensor& a, const Tensor& b) {
  return a.defined() && b.defined() && (a.is_same(b) || (a.has_storage() && a.is_alias_of(b)));
}

void check_pair(const FunctionSchema& schema, const NumberedTensor& output, const NumberedTensor& other,
                SchemaArgType kind) {
  if (!share(*output.tensor, *other.tensor)) return;
  const Argument& with =
      kind == SchemaArgType::input ? schema.arguments()[other.index] : schema.returns()[other.index];
  if (declares_alias(schema.returns()[output.index], with)) return;
  GB_THROW(Error,
           .what = fmt::format("{}: The output of this custom operator (1) must not also be an input to this custom operator "
                               "and (2) may not alias any inputs to this custom operator or other returns",
                               toString(schema.operator_name())),
           .cause = fmt::format("output {} {} {}; the schema is {}", output.index,
                                output.tensor->is_same(*other.tensor) ? "is" : "shares its storage with",
                                kind == SchemaArgType::input
                                    ? fmt::format("the argument `{}`", schema.arguments()[other.index].name())
                                    : fmt::format("output {}", other.index),
                                to_string(schema)),
           .repair = "return a new tensor (x.clone()), or declare the alias in the schema: Tensor(a) x ... -> Tensor(a)",
           .chapter = chapters::kCustomOps);
}

}  // namespace

void check_no_alias(const FunctionSchema& schema, const TensorsOfCall& inputs, const TensorsOfCall& outputs) {
  for (size_t o = 0; o < outputs.size(); ++o) {
    for (const NumberedTensor& input : inputs) check_pair(schema, outputs[o], input, SchemaArgType::input);
    for (size_t p = 0; p < o; ++p) check_pair(schema, outputs[o], outputs[p], SchemaArgType::output);
  }
}

}  // namespace gb::detail
