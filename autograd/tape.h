// The tape, printed: from a tensor's grad_fn down to the leaves.
//
//   SoftmaxBackward0 #3
//     saved result: output, Float [2, 600], version 0
//     -> AddmmBackward0 input 0
//   ...
//   AccumulateGrad (W)
//     leaf Float [600, 64]
//
// Every node stands once, after all that point to it; "#3" is its sequence number; "-> X input i" is an edge,
// which says the number too where several nodes have the name. A saved tensor that was written since is shown
// with both versions, and with who wrote it. The node of a write to a view stands inside of its CopySlices.
#pragma once

#include "autograd/tape_graph.h"

namespace gb::autograd {

std::string format_tape(const TapeGraph& tape);
inline std::string format_tape(const Tensor& root, const LeafNames& names = {}) {
  return format_tape(read_tape(root, names));
}
inline std::string format_tape(const std::shared_ptr<Node>& root, const LeafNames& names = {}) {
  return format_tape(read_tape(root, names));
}

// A node without its edges: its name and number, then a line, indented, for each thing that it keeps.
std::vector<std::string> lines_of(const TapeNode& node);

}  // namespace gb::autograd
