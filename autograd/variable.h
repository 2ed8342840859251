// Variables made by hand: tensors that are given their place on the tape by whoever writes a node, not by an operator.
// Names follow torch/csrc/autograd/variable.h and functions/utils.h.
#pragma once

#include <optional>

#include "autograd/autograd_meta.h"
#include "autograd/node.h"

namespace gb::autograd {

using optional_variable_list = std::vector<std::optional<Variable>>;

// The data without history, as a leaf. Where nobody else holds the tensor or its version, the tensor itself.
// allow_tensor_metadata_change is there for LibTorch's signature: sizes may always be changed here.
Variable make_variable(Tensor data, bool requires_grad = false, bool allow_tensor_metadata_change = true);
// The data as what `gradient_edge` produces.
Variable make_variable(const Tensor& data, Edge gradient_edge, bool allow_tensor_metadata_change = true);

// Makes `function` the producer of `variable`, as its next output.
void create_gradient_edge(Variable& variable, std::shared_ptr<Node> function);
bool any_variable_requires_grad(const variable_list& variables);

}  // namespace gb::autograd
