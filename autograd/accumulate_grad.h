// AccumulateGrad: the node at a leaf. It adds the gradient that arrives to the leaf's grad().
//
// The rules, in order:
//   1. no grad yet, create_graph off: take the gradient over without a copy ("steal"), if nobody else can see
//   its memory
//      and its layout is the leaf's; otherwise a contiguous copy;
//   2. no grad yet, create_graph on: a copy, recorded;
//   3. a grad, create_graph off: in place, grad += new. A user who holds grad() sees it change;
//   4. a grad, create_graph on: out of place, grad = grad + new; the old tensor, which may be part of a
//   graph, stays.
// PyTorch steals by the tensor's use count alone; here the storage's count is asked as well, so that two
// leaves, or a leaf and the caller, never end up sharing one gradient. With post hooks, which are given the gradient
// too, one owner more is allowed. The node holds its leaf; the leaf holds the node weakly. The hooks of the leaf are
// read off the leaf, so they outlive the node. Names follow torch/csrc/autograd/functions/accumulate_grad.h.
#pragma once

#include <mutex>

#include "autograd/node.h"

namespace gb::autograd {

struct AccumulateGrad final : Node {
  explicit AccumulateGrad(const Tensor& leaf);
  std::string name() const override { return "AccumulateGrad"; }
  const PreHooks& tensor_pre_hooks() const override;
  PostAccumulateGradHook* tensor_post_acc_grad_hooks() const override;

  const Tensor variable;

 protected:
  variable_list apply(variable_list&& grads) override;

 private:
  std::mutex mutex_;  // two threads may reach one leaf
};

}  // namespace gb::autograd
