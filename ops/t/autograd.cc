// TBackward0, TransposeBackward0, UnsqueezeBackward0, SqueezeBackward0 to 2: each undoes itself on the
// gradient.
#include "ops/common/derivative.h"
#include "ops/common/geometry.h"
#include "ops/t/t.h"

namespace gb::autograd {
namespace {

struct TBackward0 final : SavesNothing<TBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.t(); }
};
struct TransposeBackward0 final : FormulaNode<TransposeBackward0> {
  Tensor d_self(const Tensor& grad) { return transpose(grad, dim0_, dim1_); }
  static auto gradients() { return std::tuple{&TransposeBackward0::d_self}; }
  static auto fields() {
    return std::tuple{field("dim0", &TransposeBackward0::dim0_), field("dim1", &TransposeBackward0::dim1_)};
  }
  void save(const Tensor&, int64_t dim0, int64_t dim1) { dim0_ = dim0, dim1_ = dim1; }
  int64_t dim0_ = 0, dim1_ = 0;
};
struct UnsqueezeBackward0 final : FormulaNode<UnsqueezeBackward0> {
  // A negative dim counts in the dimensions of the result, which are the gradient's.
  Tensor d_self(const Tensor& grad) { return squeeze(grad, dim_); }
  static auto gradients() { return std::tuple{&UnsqueezeBackward0::d_self}; }
  static auto fields() { return std::tuple{field("dim", &UnsqueezeBackward0::dim_)}; }
  void save(const Tensor&, int64_t dim) { dim_ = dim; }
  int64_t dim_ = 0;
};
// The sizes that squeeze dropped come back where it looked.
Tensor unsqueeze_to(Tensor grad, const std::vector<bool>& named, IntArrayRef sizes) {
  for (size_t d = 0; d < sizes.size(); ++d)
    if (named[d] && sizes[d] == 1) grad = unsqueeze(grad, static_cast<int64_t>(d));
  return grad;
}
struct SqueezeBackward0 final : SavesSizes<SqueezeBackward0> {
  Tensor d_self(const Tensor& grad) {
    return unsqueeze_to(grad, std::vector<bool>(self_sizes_.size(), true), self_sizes_);
  }
};
struct SqueezeBackward1 final : FormulaNode<SqueezeBackward1> {
  Tensor d_self(const Tensor& grad) {
    return unsqueeze_to(grad, named_dims({dim_}, static_cast<int64_t>(self_sizes_.size()), "squeeze"),
                        self_sizes_);
  }
  static auto gradients() { return std::tuple{&SqueezeBackward1::d_self}; }
  static auto fields() {
    return std::tuple{field("dim", &SqueezeBackward1::dim_),
                      field("self_sizes", &SqueezeBackward1::self_sizes_)};
  }
  void save(const Tensor& self, int64_t dim) { dim_ = dim, self_sizes_ = self.sizes().vec(); }
  std::vector<int64_t> self_sizes_;
  int64_t dim_ = 0;
};
struct SqueezeBackward2 final : FormulaNode<SqueezeBackward2> {
  Tensor d_self(const Tensor& grad) {
    return unsqueeze_to(grad, named_dims(dim_, static_cast<int64_t>(self_sizes_.size()), "squeeze"),
                        self_sizes_);
  }
  static auto gradients() { return std::tuple{&SqueezeBackward2::d_self}; }
  static auto fields() {
    return std::tuple{field("dim", &SqueezeBackward2::dim_),
                      field("self_sizes", &SqueezeBackward2::self_sizes_)};
  }
  void save(const Tensor& self, IntArrayRef dim) { dim_ = dim.vec(), self_sizes_ = self.sizes().vec(); }
  std::vector<int64_t> dim_, self_sizes_;
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("t", recorded_view<TBackward0, &t_op>);
  m.impl("transpose.int", recorded_view<TransposeBackward0, &transpose_op>);
  m.impl("unsqueeze", recorded_view<UnsqueezeBackward0, &unsqueeze_op>);
  m.impl("squeeze", recorded_view<SqueezeBackward0, &squeeze_op>);
  m.impl("squeeze.dim", recorded_view<SqueezeBackward1, &squeeze_dim_op>);
  m.impl("squeeze.dims", recorded_view<SqueezeBackward2, &squeeze_dims_op>);
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("t", makes_view<&t_op>);
  m.impl("transpose.int", makes_view<&transpose_op>);
  m.impl("unsqueeze", makes_view<&unsqueeze_op>);
  m.impl("squeeze", makes_view<&squeeze_op>);
  m.impl("squeeze.dim", makes_view<&squeeze_dim_op>);
  m.impl("squeeze.dims", makes_view<&squeeze_dims_op>);
}

}  // namespace gb::autograd
