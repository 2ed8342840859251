// The tape as JSON, for programs: {"nodes": [...]}, one node per line, the root first, numbered from 0.
//
//   id, name, leaf (true for an AccumulateGrad), sequence_nr (null for a leaf), topological_nr,
//   edges  [{"to": id, or null where nobody wants the gradient, "input_nr": ...}]
//   saved  [{"name", "kind": leaf, input, output, value, nothing, released or packed,
//            "text" of a value; of a tensor "tensor" (its name, or null), "dtype", "sizes", "version",
//            "current", "writer" (null unless the versions differ)}]
//   hooks  {"tensor", "retains_grad", "pre", "post", "post_accumulate_grad"}: how many
//   inner  a node like these without id and edges, inside of a CopySlices; else null
#pragma once

#include "autograd/tape_graph.h"

namespace gb::autograd {

std::string format_tape_json(const TapeGraph& tape);
inline std::string format_tape_json(const Tensor& root, const LeafNames& names = {}) {
  return format_tape_json(read_tape(root, names));
}

}  // namespace gb::autograd
