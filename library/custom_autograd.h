// The autograd kernel that register_autograd makes: one boxed functor for every signature.
//
//   forward    below autograd: the operator's own kernel runs, unrecorded
//              then, if something is to be recorded: a node GeneratedBackwardFor_<ns>_<op>_defaultBackward
//              with an edge per argument becomes the grad_fn of the outputs, and setup_context says what the
//              node keeps
//   backward   the node calls `backward`, which returns one gradient per argument of the schema: undefined
//   for arguments
//              that are not tensors; a list of tensors takes one place per element
//
// An incoming gradient that is undefined becomes zeros first, unless the context says
// set_materialize_grads(false). Source: torch/_library/autograd.py.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "autograd/function_context.h"
#include "dispatcher/library.h"

namespace gb {

struct CustomFormula {
  using Backward =
      std::function<std::vector<Tensor>(autograd::AutogradContext&, const std::vector<Tensor>& grad_outputs)>;
  // inputs: one IValue per schema argument; output: the result, or a tuple of the results where there are
  // several.
  using SetupContext =
      std::function<void(autograd::AutogradContext&, ArrayRef<IValue> inputs, const IValue& output)>;

  std::string op;         // "lynx_cortex::softmax"
  std::string node_name;  // "GeneratedBackwardFor_lynx_cortex_softmax_defaultBackward"
  Backward backward;
  SetupContext setup_context;  // empty: nothing is kept
};

CppFunction make_autograd_kernel(std::shared_ptr<const CustomFormula> formula);

}  // namespace gb
