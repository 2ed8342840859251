// validate_outputs: what a node returned, made to fit what the next nodes expect, or refused.
//
// Per gradient: undefined is fine; a gradient of the broadcast shape is summed down; another dtype is cast;
// any other shape, or another device, is an error that names the node and both shapes. The rule is PyTorch's
// (torch/csrc/autograd/engine.cpp).
#pragma once

#include "autograd/node.h"

namespace gb::autograd {

// `from`: the node that returned `grads`; null for the gradients that the caller of backward gave.
void validate_outputs(const edge_list& edges, variable_list& grads, const Node* from);

}  // namespace gb::autograd
