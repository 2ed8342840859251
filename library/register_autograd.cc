#include "library/register_autograd.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace gb::detail {
namespace {

bool returns_one_tensor(const FunctionSchema& s) {
  return s.returns().size() == 1 && s.returns()[0].type()->kind() == TypeKind::TensorType;
}

// GeneratedBackwardFor_lynx_cortex_softmax_defaultBackward: PyTorch's name for such a node.
std::string node_name(const OperatorName& name) {
  const std::string_view full = name.name, ns = name.getNamespace().value();
  return fmt::format("GeneratedBackwardFor_{}_{}_{}Backward", ns, full.substr(ns.size() + 2),
                     name.overload_name.empty() ? "default" : name.overload_name);
}

}  // namespace

void register_autograd(Library& library, const char* name, CustomFormula::Backward backward, bool one_output_only,
                       CustomFormula::SetupContext setup_context, const Place& at) {
  const OperatorHandle op = find_defined("register_autograd", name);
  const FunctionSchema& schema = op.schema();
  GB_CHECK_OR_THROW(
      is_functional(schema) && !schema.returns().empty(), Error,
      .what = fmt::format("register_autograd: Cannot register autograd formula for non-functional operator {}", name),
      .cause = fmt::format("the schema writes an argument, returns an alias, or returns nothing: {}", to_string(schema)),
      .repair = "give the formula to a functional operator (no `!`, no alias sets) and write in place around it",
      .chapter = chapters::kCustomOps);
  const auto keyword_tensor = [](const Argument& a) { return a.kwarg_only() && holds_tensors(*a.type()); };
  GB_CHECK_OR_THROW(
      std::none_of(schema.arguments().begin(), schema.arguments().end(), keyword_tensor), NotImplementedError,
      .what = fmt::format("register_autograd with kwarg-only Tensor args: {}", name),
      .cause = fmt::format("backward returns gradients for positional arguments only: {}", to_string(schema)),
      .repair = "move the tensors before the `*` of the schema", .chapter = chapters::kCustomOps);
  GB_CHECK_OR_THROW(!one_output_only || returns_one_tensor(schema), Error,
                    .what = fmt::format("register_autograd: this backward of {} takes one gradient", name),
                    .cause = fmt::format("the operator does not return one Tensor: {}", to_string(schema)),
                    .repair = "take `const std::vector<Tensor>& grad_outputs`", .chapter = chapters::kCustomOps);
  check_free("register_autograd", op, DispatchKey::Autograd, at);
  auto formula = std::make_shared<CustomFormula>(
      CustomFormula{node_name(op.operator_name()), std::move(backward), std::move(setup_context)});
  library.impl(name, DispatchKey::Autograd, make_autograd_kernel(std::move(formula)), at.file, at.line);
}

}  // namespace gb::detail
