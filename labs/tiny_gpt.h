// A GPT of one block, written in operators: what nn/gpt.h says with modules, so that each line of the forward
// can be set beside the nodes that it leaves. For its tape only: the weights are all the same number.
//
//   ids [B, T] --wte + wpe--> x [B, T, C] --block--> [B, T, C] --ln_f, wte^T--> logits [B, T, V] --> loss
#pragma once

#include <cstdint>
#include <string>

#include "autograd/tape_graph.h"

namespace gb::labs {

struct TinySizes {
  int64_t batch = 1, length = 3, width = 8, heads = 2, inner = 16, vocabulary = 20;  // B, T, C, H, d_ff, V
};

class TinyGpt {
 public:
  explicit TinyGpt(const TinySizes& sizes = {});

  Tensor block(const Tensor& x) const;  // [B, T, C] -> the same
  Tensor loss() const;                  // of B lines of T words, with the next word as target
  // A block on a leaf of its own, named x.
  Tensor block_on_leaf() const { return block(x_); }

  const autograd::LeafNames& names() const { return names_; }  // the parameters, by GPT-2's names, and x

 private:
  Tensor attention(const Tensor& x) const;
  Tensor mlp(const Tensor& x) const;
  Tensor norm(const Tensor& x, const std::string& name) const;
  Tensor linear_of(const Tensor& x, const std::string& name) const;
  const Tensor& parameter(const std::string& name) const;
  void add(const std::string& name, IntArrayRef sizes);

  const TinySizes sizes_;
  autograd::LeafNames names_;
  Tensor x_;
};

// What the nodes from `root` on keep for backward: a row per name of node, with the number of nodes, of saved
// tensors, and of bytes that no earlier node (in forward) keeps already. Parameters and other leaves of
// `names` are not counted.
std::string kept_for_backward(const Tensor& root, const autograd::LeafNames& names);

}  // namespace gb::labs
