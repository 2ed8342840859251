// Edge: where a gradient goes: into input number `input_nr` of `function`.
//
// An edge without a function is invalid: nobody asked for that gradient. Names follow
// torch/csrc/autograd/edge.h.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/recycled.h"
#include "core/tensor.h"

namespace gb::autograd {

struct Node;

using Variable = Tensor;
using variable_list = std::vector<Tensor>;

struct Edge {
  Edge() noexcept = default;
  Edge(std::shared_ptr<Node> f, uint32_t nr) noexcept : function(std::move(f)), input_nr(nr) {}

  bool is_valid() const noexcept { return function != nullptr; }
  friend bool operator==(const Edge& a, const Edge& b) {
    return a.function == b.function && a.input_nr == b.input_nr;
  }

  std::shared_ptr<Node> function;
  uint32_t input_nr = 0;
};

using edge_list = std::vector<Edge, RecycledAllocator<Edge>>;  // up to four: no call of malloc

}  // namespace gb::autograd
