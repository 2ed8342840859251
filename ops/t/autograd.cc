// The gradients of t, transpose, unsqueeze and squeeze undo them. TBackward0, TransposeBackward0, UnsqueezeBackward0,
// SqueezeBackward0 to 2 are of the views; the forms in place have nodes of the next numbers, as in PyTorch.
#include "ops/common/derivative.h"
#include "ops/common/geometry.h"
#include "ops/t/t.h"

namespace gb::autograd {
namespace {

template <class Derived>
struct OfT : SavesNothing<Derived> {
  Tensor d_self(const Tensor& grad) { return grad.t(); }
};
struct TBackward0 final : OfT<TBackward0> {};
struct TBackward1 final : OfT<TBackward1> {};

template <class Derived>
struct OfTranspose : FormulaNode<Derived> {
  Tensor d_self(const Tensor& grad) { return transpose(grad, dim0_, dim1_); }
  static auto gradients() { return std::tuple{&OfTranspose::d_self}; }
  static auto fields() { return std::tuple{field("dim0", &OfTranspose::dim0_), field("dim1", &OfTranspose::dim1_)}; }
  void save(const Tensor&, int64_t dim0, int64_t dim1) { dim0_ = dim0, dim1_ = dim1; }
  int64_t dim0_ = 0, dim1_ = 0;
};
struct TransposeBackward0 final : OfTranspose<TransposeBackward0> {};
struct TransposeBackward1 final : OfTranspose<TransposeBackward1> {};

template <class Derived>
struct OfUnsqueeze : FormulaNode<Derived> {
  // A negative dim counts in the dimensions of the result, which are the gradient's.
  Tensor d_self(const Tensor& grad) { return squeeze(grad, dim_); }
  static auto gradients() { return std::tuple{&OfUnsqueeze::d_self}; }
  static auto fields() { return std::tuple{field("dim", &OfUnsqueeze::dim_)}; }
  void save(const Tensor&, int64_t dim) { dim_ = dim; }
  int64_t dim_ = 0;
};
struct UnsqueezeBackward0 final : OfUnsqueeze<UnsqueezeBackward0> {};
struct UnsqueezeBackward1 final : OfUnsqueeze<UnsqueezeBackward1> {};

// The sizes that squeeze dropped come back where it looked.
Tensor unsqueeze_to(Tensor grad, const std::vector<bool>& named, IntArrayRef sizes) {
  for (size_t d = 0; d < sizes.size(); ++d)
    if (named[d] && sizes[d] == 1) grad = unsqueeze(grad, static_cast<int64_t>(d));
  return grad;
}

template <class Derived>
struct OfSqueeze : SavesSizes<Derived> {
  Tensor d_self(const Tensor& grad) {
    return unsqueeze_to(grad, std::vector<bool>(this->self_sizes_.size(), true), this->self_sizes_);
  }
};
struct SqueezeBackward0 final : OfSqueeze<SqueezeBackward0> {};
struct SqueezeBackward3 final : OfSqueeze<SqueezeBackward3> {};

// Of one dimension or of a list of them.
template <class Derived, class Dims>
struct OfSqueezeDims : FormulaNode<Derived> {
  Tensor d_self(const Tensor& grad) {
    return unsqueeze_to(grad, named_dims(dim_, static_cast<int64_t>(self_sizes_.size()), "squeeze"), self_sizes_);
  }
  static auto gradients() { return std::tuple{&OfSqueezeDims::d_self}; }
  static auto fields() {
    return std::tuple{field("dim", &OfSqueezeDims::dim_), field("self_sizes", &OfSqueezeDims::self_sizes_)};
  }
  void save(const Tensor& self, int64_t dim) { dim_ = dim, self_sizes_ = self.sizes().vec(); }
  void save(const Tensor& self, IntArrayRef dim) { dim_ = dim.vec(), self_sizes_ = self.sizes().vec(); }
  Dims dim_{};
  std::vector<int64_t> self_sizes_;
};
struct SqueezeBackward1 final : OfSqueezeDims<SqueezeBackward1, int64_t> {};
struct SqueezeBackward2 final : OfSqueezeDims<SqueezeBackward2, std::vector<int64_t>> {};
struct SqueezeBackward4 final : OfSqueezeDims<SqueezeBackward4, int64_t> {};
struct SqueezeBackward5 final : OfSqueezeDims<SqueezeBackward5, std::vector<int64_t>> {};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("t", recorded_view<TBackward0, &t_op>);
  m.impl("transpose.int", recorded_view<TransposeBackward0, &transpose_op>);
  m.impl("unsqueeze", recorded_view<UnsqueezeBackward0, &unsqueeze_op>);
  m.impl("squeeze", recorded_view<SqueezeBackward0, &squeeze_op>);
  m.impl("squeeze.dim", recorded_view<SqueezeBackward1, &squeeze_dim_op>);
  m.impl("squeeze.dims", recorded_view<SqueezeBackward2, &squeeze_dims_op>);
  m.impl("t_", recorded_inplace_view<TBackward1, &t__op>);
  m.impl("transpose_", recorded_inplace_view<TransposeBackward1, &transpose__op>);
  m.impl("unsqueeze_", recorded_inplace_view<UnsqueezeBackward1, &unsqueeze__op>);
  m.impl("squeeze_", recorded_inplace_view<SqueezeBackward3, &squeeze__op>);
  m.impl("squeeze_.dim", recorded_inplace_view<SqueezeBackward4, &squeeze__dim_op>);
  m.impl("squeeze_.dims", recorded_inplace_view<SqueezeBackward5, &squeeze__dims_op>);
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("t", makes_view<&t_op>);
  m.impl("transpose.int", makes_view<&transpose_op>);
  m.impl("unsqueeze", makes_view<&unsqueeze_op>);
  m.impl("squeeze", makes_view<&squeeze_op>);
  m.impl("squeeze.dim", makes_view<&squeeze_dim_op>);
  m.impl("squeeze.dims", makes_view<&squeeze_dims_op>);
  m.impl("t_", bumps_version<&t__op>);
  m.impl("transpose_", bumps_version<&transpose__op>);
  m.impl("unsqueeze_", bumps_version<&unsqueeze__op>);
  m.impl("squeeze_", bumps_version<&squeeze__op>);
  m.impl("squeeze_.dim", bumps_version<&squeeze__dim_op>);
  m.impl("squeeze_.dims", bumps_version<&squeeze__dims_op>);
}

}  // namespace gb::autograd
