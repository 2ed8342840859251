// backward and grad: the two ways to start a backward pass. Names follow torch/csrc/autograd/autograd.h.
#pragma once

#include <optional>

#include "autograd/edge.h"

namespace gb::autograd {

// Adds the gradients of `tensors` to the grad() of all leaves (of `inputs` alone, where given).
// grad_tensors[i] is the gradient of tensors[i]; undefined, or no list at all, means 1, which only a tensor
// of one element may have. retain_graph (default: create_graph) keeps what the nodes saved, for another
// backward; create_graph records the pass itself. Throws, with nothing changed: no grad_fn, no gradient for a
// non-scalar, a gradient of another shape.
void backward(const variable_list& tensors, const variable_list& grad_tensors = {},
              std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
              const variable_list& inputs = {});

// The gradients of `outputs` with respect to `inputs`, one per input; no grad() is touched. An input that the
// outputs do not depend on is an error, or with allow_unused an undefined tensor. is_grads_batched is refused.
variable_list grad(const variable_list& outputs, const variable_list& inputs,
                   const variable_list& grad_outputs = {}, std::optional<bool> retain_graph = std::nullopt,
                   bool create_graph = false, bool allow_unused = false, bool is_grads_batched = false);

}  // namespace gb::autograd
