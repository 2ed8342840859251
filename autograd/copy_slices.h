// CopySlices: an in-place write to a view, as a node of the *base*.
//
//   forward     v = part of b;  v.mul_(k)
//   backward    the gradient g of b as it is now:     outside of the part   it is that of b as it was
//                                                     inside                fn (MulBackward0) makes of it that of the
//                                                                           old v, which takes its place
//
// Edge 0 goes where the base's gradient went before the write; the others are fn's own (the other operands of the
// write). fn's edge 0 still leads to the view's old node: its gradient is computed, but goes into the part.
// Everything is done by recorded operators on a copy of g, so with create_graph this is differentiable again.
// Names follow torch/csrc/autograd/functions/tensor.h.
#pragma once

#include "autograd/geometry.h"
#include "autograd/node.h"
#include "core/byte_lock.h"

namespace gb::autograd {

struct CopySlices final : Node {
  CopySlices(const Tensor& base_var, Geometry view, std::shared_ptr<Node> fn);
  ~CopySlices() override { release_node(std::move(fn)); }

  std::string name() const override { return "CopySlices"; }
  void release_variables() override;
  std::vector<SavedField> saved() const override;  // fn's

  const Geometry base, view;
  std::shared_ptr<Node> fn;  // the write's own node; null once released
  mutable ByteLock lock;     // of fn: another thread may run backward through this node

 protected:
  std::shared_ptr<Node> fn_now() const;
  variable_list apply(variable_list&& grads) override;
};

}  // namespace gb::autograd
