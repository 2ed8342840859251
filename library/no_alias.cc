#include "library/no_alias.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "library/registration.h"

namespace gb::detail {
namespace {

bool share(const Tensor& a, const Tensor& b) {
  return a.defined() && b.defined() && (a.is_same(b) || (a.has_storage() && a.is_alias_of(b)));
}

// Do `output` and an argument have an alias set in common, or that output and another argument that was passed the same
// memory, as in x.add_(x)?
bool declared(const FunctionSchema& schema, const NumberedTensor& output, const NumberedTensor& input,
              const TensorsOfCall& inputs) {
  return std::any_of(inputs.begin(), inputs.end(), [&](const NumberedTensor& other) {
    return share(*other.tensor, *input.tensor) &&
           declares_alias(schema.returns()[output.index], schema.arguments()[other.index]);
  });
}

[[noreturn]] void throw_alias(const FunctionSchema& schema, const NumberedTensor& output, const NumberedTensor& other,
                              const std::string& name_of_other) {
  GB_THROW(
      Error,
      .what =
          fmt::format("{}: The output of this custom operator (1) must not also be an input to this custom operator "
                      "and (2) may not alias any inputs to this custom operator or other returns",
                      toString(schema.operator_name())),
      .cause = fmt::format("output {} {} {}; the schema is {}", output.index,
                           output.tensor->is_same(*other.tensor) ? "is" : "shares its storage with", name_of_other,
                           to_string(schema)),
      .repair = "return a new tensor (x.clone()), or declare the alias in the schema: Tensor(a) x ... -> Tensor(a)",
      .chapter = chapters::kCustomOps);
}

}  // namespace

void check_no_alias(const FunctionSchema& schema, const TensorsOfCall& inputs, const TensorsOfCall& outputs) {
  for (size_t o = 0; o < outputs.size(); ++o) {
    const NumberedTensor& output = outputs[o];
    for (const NumberedTensor& input : inputs) {
      if (!share(*output.tensor, *input.tensor) || declared(schema, output, input, inputs)) continue;
      throw_alias(schema, output, input, fmt::format("the argument `{}`", schema.arguments()[input.index].name()));
    }
    for (size_t p = 0; p < o; ++p) {
      if (!share(*output.tensor, *outputs[p].tensor)) continue;
      if (declares_alias(schema.returns()[output.index], schema.returns()[outputs[p].index])) continue;
      throw_alias(schema, output, outputs[p], fmt::format("output {}", outputs[p].index));
    }
  }
}

}  // namespace gb::detail
