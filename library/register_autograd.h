// register_autograd: the formula of an operator, as a backward and what it needs from the forward.
//
//   writes      Autograd   the alias of every autograd key: AutogradCPU, AutogradCUDA, ...
//
// Why there: above the kernels of the devices, which compute and know nothing of gradients, and for all devices alike. Before
// it these slots hold the fallback: the forward works, and backward is an error that names the operator.
// Refused: an operator that is not functional (writes an argument, returns an alias, returns nothing), because its formula
// would have to say what happens to the history of the written tensor; and keyword-only tensors, which have no place among
// the gradients. In PyTorch: torch/_library/autograd.py.
#pragma once

#include <type_traits>
#include <utility>

#include "library/custom_autograd.h"
#include "library/registration.h"

namespace gb {
namespace detail {

void register_autograd(Library& library, const char* op, CustomFormula::Backward backward, bool one_output_only,
                       CustomFormula::SetupContext setup_context, const Place& at);

using autograd::AutogradContext;

// `std::vector<Tensor> f(AutogradContext&, const std::vector<Tensor>& grad_outputs)`, or with one output
// `... f(AutogradContext&, const Tensor& grad)`; either may return one Tensor where there is one argument.
template <class B>
inline constexpr bool takes_list = std::is_invocable_v<const B&, AutogradContext&, const std::vector<Tensor>&>;
template <class B>
CustomFormula::Backward as_backward(B backward) {
  return [b = std::move(backward)](AutogradContext& ctx, const std::vector<Tensor>& grads) -> std::vector<Tensor> {
    if constexpr (takes_list<B>) return {b(ctx, grads)};
    else return {b(ctx, grads[0])};
  };
}

// (ctx, inputs, output), or (ctx, inputs, keyword_only_inputs, output).
template <class S>
CustomFormula::SetupContext as_setup_context(S setup) {
  if constexpr (std::is_same_v<S, std::nullptr_t>) {
    return {};
  } else if constexpr (std::is_invocable_v<const S&, AutogradContext&, ArrayRef<IValue>, const IValue&>) {
    return [s = std::move(setup)](AutogradContext& ctx, ArrayRef<IValue> inputs, ArrayRef<IValue>, const IValue& output) {
      s(ctx, inputs, output);
    };
  } else {
    return setup;
  }
}

}  // namespace detail

// setup_context runs after the forward, unrecorded, and says what to keep: ctx.save_for_backward({output.toTensor()}).
// backward returns one gradient per positional argument (custom_autograd.h).
template <class B, class S = std::nullptr_t>
void register_autograd(Library& library, const char* op, B backward, S setup_context = {},
                       Place at = {__builtin_FILE(), __builtin_LINE()}) {
  detail::register_autograd(library, op, detail::as_backward(std::move(backward)), !detail::takes_list<B>,
                            detail::as_setup_context(std::move(setup_context)), at);
}

}  // namespace gb
