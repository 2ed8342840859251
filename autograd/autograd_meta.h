// AutogradMeta: a tensor's place on the tape, hung on its TensorImpl when it first takes part in a graph.
//
//   a leaf that requires grad         requires_grad_ is set; grad_ is its gradient; grad_accumulator_ the node that adds
//                                     to it
//   the result of an operator         grad_fn_ is the node that will compute the gradient of its inputs; this tensor is
//                                     number output_nr_ of the node's outputs
//   a view (DifferentiableViewMeta)   remembers base, the tensor that owns the memory: see view.h
//
// Invariants: grad_fn_ and requires_grad_ are never both set; a base is never itself a view; the accumulator is held
// weakly, because it holds the tensor. grad_fn_ of a view may be out of date: read it by impl::grad_fn. Names follow
// torch/csrc/autograd/variable.h.
#pragma once

#include <memory>

#include "autograd/edge.h"
#include "autograd/tensor_hooks.h"
#include "core/byte_lock.h"
#include "core/tensor.h"

namespace gb::autograd {

struct AutogradMeta : AutogradMetaInterface, Recycled<AutogradMeta> {
  ~AutogradMeta() override {
    if (grad_fn_) release_grad_fn();
  }

  void set_requires_grad(bool requires_grad, TensorImpl* self) override;  // throws for an integer dtype
  bool requires_grad() const override { return requires_grad_ || grad_fn_; }
  Tensor& mutable_grad() override { return grad_; }
  const Tensor& grad() const override { return grad_; }

  Tensor grad_;
  std::shared_ptr<Node> grad_fn_;
  std::weak_ptr<Node> grad_accumulator_;
  std::unique_ptr<TensorHooks> hooks_;
  uint32_t output_nr_ = 0;
  bool requires_grad_ = false;
  bool is_view_ = false;
  ByteLock lock_;  // guards the making of the accumulator, and of a view's new grad_fn

 private:
  void release_grad_fn() noexcept;  // without recursion: autograd/node.h, release_node
};

namespace impl {
AutogradMeta* get_autograd_meta(const Tensor& t);          // null where there is none
AutogradMeta* materialize_autograd_meta(const Tensor& t);  // makes one
// The node that computed `t`; null for a leaf. Of a view whose memory was written since: a new one, as PyTorch does.
const std::shared_ptr<Node>& grad_fn(const Tensor& t);
void set_gradient_edge(const Tensor& t, Edge edge);
Edge gradient_edge(const Tensor& t);
std::shared_ptr<Node> grad_accumulator(const Tensor& t);          // of a leaf that requires grad, else null
std::shared_ptr<Node> try_get_grad_accumulator(const Tensor& t);  // null where none exists now
}  // namespace impl

}  // namespace gb::autograd
