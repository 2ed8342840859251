// The tape, printed: from a tensor's grad_fn down to the leaves.
//
//   SoftmaxBackward0 #3
//     saved result: output, Float [2, 600], version 0
//     -> AddmmBackward0 input 0
//   ...
//   AccumulateGrad (W)
//     leaf Float [600, 64]
//
// Every node stands once, after all that point to it; "#3" is its sequence number; "-> X input i" is an edge.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "autograd/node.h"

namespace gb::autograd {

// Names for leaves: {{x, "x"}, {W, "W"}}.
using LeafNames = std::vector<std::pair<Tensor, std::string>>;

std::string format_tape(const Tensor& root, const LeafNames& names = {});
std::string format_tape(const std::shared_ptr<Node>& root, const LeafNames& names = {});

// The nodes reachable from `root`, each after all that point to it; where there is a choice, the larger
// sequence number.
std::vector<Node*> nodes_in_order(Node* root);

}  // namespace gb::autograd
