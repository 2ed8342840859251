// The tape in the language of Graphviz: format_tape_dot(y) into tape.dot, then `dot -Tsvg tape.dot`.
//
// One box per node, with the lines of tape.h; an edge from a node to each that receives a gradient of it,
// with the number of the receiver's input where that is not 0. A leaf's box is round; what was written since
// it was saved makes the border red. Gradients that nobody wants have no edge. Without Graphviz: tape_svg.h.
#pragma once

#include "autograd/tape_graph.h"

namespace gb::autograd {

std::string format_tape_dot(const TapeGraph& tape);
inline std::string format_tape_dot(const Tensor& root, const LeafNames& names = {}) {
  return format_tape_dot(read_tape(root, names));
}

}  // namespace gb::autograd
