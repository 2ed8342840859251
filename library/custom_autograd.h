// The autograd kernel that register_autograd makes: one boxed functor for every signature.
//
//   forward    below autograd: the operator's own kernel runs, unrecorded
//              then, if something is to be recorded: a node GeneratedBackwardFor_<ns>_<op>_<overload>Backward
//              with an edge per argument becomes the grad_fn of the outputs, and setup_context says what the node keeps
//   backward   the node calls `backward` with one gradient per output, and takes one back per positional argument:
//              undefined for arguments that are not tensors. A list of tensors has one place per element, both ways
//              (None in it keeps its place); an optional that is None has one place
//
// A forward, setup_context or backward that throws leaves nothing recorded and no switch changed. An incoming gradient that
// is undefined becomes zeros first, unless the context says set_materialize_grads(false).
// Source: torch/_library/autograd.py.
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
  // inputs: one IValue per positional argument, defaults filled in; keyword_only_inputs: those behind the `*` of the schema,
  // in its order; output: the result, or a tuple of the results where there are several.
  using SetupContext = std::function<void(autograd::AutogradContext&, ArrayRef<IValue> inputs,
                                          ArrayRef<IValue> keyword_only_inputs, const IValue& output)>;

  std::string node_name;  // "GeneratedBackwardFor_lynx_cortex_softmax_defaultBackward"
  Backward backward;
  SetupContext setup_context;  // empty: nothing is kept
};

CppFunction make_autograd_kernel(std::shared_ptr<const CustomFormula> formula);

}  // namespace gb
