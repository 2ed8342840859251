// run_node: one step of a backward pass: a node, with the hooks around it.
//
// The order is PyTorch's:
//   1  the gradient that arrived is an answer (inputs= of grad): it is taken as it is; for a node that does not run,
//      after 2 and 3
//   2  hooks of the tensor (Tensor::register_hook), in the order in which they were registered
//   3  retain_grad
//   4  pre hooks of the node
//   5  the node; for a leaf, then, its post-accumulate-grad hook
//   6  what it returned is checked, and made to fit
//   7  post hooks of the node
//   8  what it saved is released, unless the graph is kept
//   9  in anomaly mode: is there a NaN?
//  10  the gradients go along the edges
// A hook that throws ends the pass as a node that throws. Source: Engine::evaluate_function and call_function
// (torch/csrc/autograd/engine.cpp).
#pragma once

#include "autograd/ready_queue.h"

namespace gb::autograd {

// Runs the node number `state` of the task, on this thread and its current streams. Nodes that become ready by it are pushed into `queue`; where several
// threads run the task, into theirs.
void run_node(GraphTask& task, uint32_t state, ReadyQueue* queue);

// In a catch block around it: the error that passes through says in which node it came up.
void note_failure(Node& node);

}  // namespace gb::autograd
