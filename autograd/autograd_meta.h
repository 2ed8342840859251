// AutogradMeta: a tensor's place on the tape, hung on its TensorImpl when it first takes part in a graph.
//
//   a leaf that requires grad    requires_grad_ is set; grad_ is its gradient; grad_accumulator_ the node
//   that adds to it the result of an operator    grad_fn_ is the node that will compute the gradient of its
//   inputs; this tensor is
//                                number output_nr_ of the node's outputs
//   a view (DifferentiableViewMeta)  remembers base_, the tensor that owns the memory
//
// Invariants: grad_fn_ and requires_grad_ are never both set; base_ is never itself a view; the accumulator
// is held weakly, because it holds the tensor. A write to a base starts a new `history_epoch_` of it: a view
// made in an older epoch is stale, its grad_fn no longer describes its data. Names follow
// torch/csrc/autograd/variable.h.
#pragma once

#include <memory>
#include <mutex>

#include "autograd/edge.h"
#include "core/tensor.h"

namespace gb::autograd {

struct AutogradMeta : AutogradMetaInterface {
  ~AutogradMeta() override {
    if (grad_fn_) release_grad_fn();
  }

  void set_requires_grad(bool requires_grad, TensorImpl* self) override;  // throws for an integer dtype
  bool requires_grad() const override {
    return requires_grad_ || grad_fn_ || (is_view_ && base_requires_grad_now());
  }
  Tensor& mutable_grad() override { return grad_; }
  const Tensor& grad() const override { return grad_; }

  // A view whose base was given a new history by an in-place write since the view was made.
  bool is_stale_view() const;

  Tensor grad_;
  std::shared_ptr<Node> grad_fn_;
  std::weak_ptr<Node> grad_accumulator_;
  std::mutex mutex_;  // guards the making of the accumulator
  uint32_t output_nr_ = 0;
  uint32_t history_epoch_ = 0;
  bool requires_grad_ = false;
  bool is_view_ = false;

 private:
  bool base_requires_grad_now() const;
  void release_grad_fn() noexcept;  // without recursion: autograd/node.h, release_node
};

struct DifferentiableViewMeta final : AutogradMeta, Recycled<DifferentiableViewMeta> {
  explicit DifferentiableViewMeta(const Tensor& base);
  Tensor base_;
  uint32_t base_epoch_;  // the base's history_epoch_ when the view was made
};

namespace impl {
AutogradMeta* get_autograd_meta(const Tensor& t);                 // null where there is none
AutogradMeta* materialize_autograd_meta(const Tensor& t);         // makes one
DifferentiableViewMeta* get_view_autograd_meta(const Tensor& t);  // null unless it is a view
void set_gradient_edge(const Tensor& t, Edge edge);
Edge gradient_edge(const Tensor& t);
std::shared_ptr<Node> grad_accumulator(const Tensor& t);          // of a leaf that requires grad, else null
std::shared_ptr<Node> try_get_grad_accumulator(const Tensor& t);  // null where none exists now
}  // namespace impl

}  // namespace gb::autograd
