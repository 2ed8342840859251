// TBackward0, TransposeBackward0, UnsqueezeBackward0, SqueezeBackward1: each undoes itself on the gradient.
#include "ops/common/record.h"
#include "ops/t/t.h"

namespace gb::autograd {
namespace {

// A node with one input whose gradient is one call; Derived says which.
template <class Derived>
struct UndoView : Node {
  variable_list apply(variable_list&& grads) override {
    if (!grads[0].defined() || !task_should_compute_output(0)) return {Tensor()};
    return {static_cast<Derived*>(this)->undo(grads[0])};
  }
};

struct TBackward0 final : UndoView<TBackward0> {
  Tensor undo(const Tensor& grad) const { return grad.t(); }
};
struct TransposeBackward0 final : UndoView<TransposeBackward0> {
  Tensor undo(const Tensor& grad) const { return transpose(grad, dim0_, dim1_); }
  std::vector<SavedField> saved() const override {
    return {{"dim0", std::to_string(dim0_)}, {"dim1", std::to_string(dim1_)}};
  }
  int64_t dim0_, dim1_;
};
struct UnsqueezeBackward0 final : UndoView<UnsqueezeBackward0> {
  // A negative dim counts in the dimensions of the result, which are the gradient's.
  Tensor undo(const Tensor& grad) const { return squeeze(grad, dim_); }
  std::vector<SavedField> saved() const override { return {{"dim", std::to_string(dim_)}}; }
  int64_t dim_;
};
struct SqueezeBackward1 final : UndoView<SqueezeBackward1> {
  Tensor undo(const Tensor& grad) const { return dropped_ ? unsqueeze(grad, dim_) : grad; }
  std::vector<SavedField> saved() const override {
    return {{"dim", std::to_string(dim_)}, {"self_sizes", to_string(IntArrayRef(self_sizes_))}};
  }
  std::vector<int64_t> self_sizes_;
  int64_t dim_;
  bool dropped_;
};

Tensor t_autograd(DispatchKeySet ks, const Tensor& self) {
  const auto grad_fn = make_node<TBackward0>(self);
  return record_view(grad_fn, [&] { return t_op().redispatch(ks & after_autograd_keyset, self); });
}
Tensor t_inplace_or_view(DispatchKeySet ks, const Tensor& self) {
  AutoDispatchBelowADInplaceOrView guard;
  return as_view(self, t_op().redispatch(ks & after_ADInplaceOrView_keyset, self));
}

Tensor transpose_autograd(DispatchKeySet ks, const Tensor& self, int64_t dim0, int64_t dim1) {
  const auto grad_fn = make_node<TransposeBackward0>(self);
  if (grad_fn) grad_fn->dim0_ = dim0, grad_fn->dim1_ = dim1;
  return record_view(grad_fn, [&] {
    return transpose_op().redispatch(ks & after_autograd_keyset, self, dim0, dim1);
  });
}
Tensor transpose_inplace_or_view(DispatchKeySet ks, const Tensor& self, int64_t dim0, int64_t dim1) {
  AutoDispatchBelowADInplaceOrView guard;
  return as_view(self, transpose_op().redispatch(ks & after_ADInplaceOrView_keyset, self, dim0, dim1));
}

Tensor unsqueeze_autograd(DispatchKeySet ks, const Tensor& self, int64_t dim) {
  const auto grad_fn = make_node<UnsqueezeBackward0>(self);
  if (grad_fn) grad_fn->dim_ = dim;
  return record_view(grad_fn, [&] { return unsqueeze_op().redispatch(ks & after_autograd_keyset, self, dim); });
}
Tensor unsqueeze_inplace_or_view(DispatchKeySet ks, const Tensor& self, int64_t dim) {
  AutoDispatchBelowADInplaceOrView guard;
  return as_view(self, unsqueeze_op().redispatch(ks & after_ADInplaceOrView_keyset, self, dim));
}

Tensor squeeze_autograd(DispatchKeySet ks, const Tensor& self, int64_t dim) {
  const auto grad_fn = make_node<SqueezeBackward1>(self);
  Tensor result = run_under<AutoDispatchBelowAutograd>(
      [&] { return squeeze_op().redispatch(ks & after_autograd_keyset, self, dim); });
  if (grad_fn) {
    grad_fn->dim_ = maybe_wrap_dim(dim, self.dim(), "squeeze");  // in the input's dimensions
    grad_fn->dropped_ = result.dim() < self.dim();
    grad_fn->self_sizes_ = self.sizes().vec();
    set_history(result, grad_fn);
  }
  return result;
}
Tensor squeeze_inplace_or_view(DispatchKeySet ks, const Tensor& self, int64_t dim) {
  AutoDispatchBelowADInplaceOrView guard;
  return as_view(self, squeeze_op().redispatch(ks & after_ADInplaceOrView_keyset, self, dim));
}

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("t", GB_FN(t_autograd));
  m.impl("transpose.int", GB_FN(transpose_autograd));
  m.impl("unsqueeze", GB_FN(unsqueeze_autograd));
  m.impl("squeeze.dim", GB_FN(squeeze_autograd));
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("t", GB_FN(t_inplace_or_view));
  m.impl("transpose.int", GB_FN(transpose_inplace_or_view));
  m.impl("unsqueeze", GB_FN(unsqueeze_inplace_or_view));
  m.impl("squeeze.dim", GB_FN(squeeze_inplace_or_view));
}

}  // namespace gb::autograd
