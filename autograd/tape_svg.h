// The tape as a drawing: format_tape_svg(y) is a whole SVG file, drawn here, without Graphviz.
//
// A box per node with the lines of tape.h, rounded and green for a leaf; a CopySlices shows the node of the
// write inside of its own box. A line leads from a node to each that receives a gradient of it: on the lower
// side in the order of the edges, with the number of the receiver's input where that is not 0. A red border:
// what the node saved was written since. Where things lie: tape_layout.h.
#pragma once

#include "autograd/tape_graph.h"

namespace gb::autograd {

std::string format_tape_svg(const TapeGraph& tape);  // throws ValueError for thousands of nodes
inline std::string format_tape_svg(const Tensor& root, const LeafNames& names = {}) {
  return format_tape_svg(read_tape(root, names));
}

}  // namespace gb::autograd
