// TBackward0, TransposeBackward0, UnsqueezeBackward0, SqueezeBackward1: each undoes itself on the gradient.
#include "ops/common/derivative.h"
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
struct SqueezeBackward1 final : FormulaNode<SqueezeBackward1> {
  Tensor d_self(const Tensor& grad) {
    const bool dropped = !self_sizes_.empty() && self_sizes_[static_cast<size_t>(dim_)] == 1;
    return dropped ? unsqueeze(grad, dim_) : grad;
  }
  static auto gradients() { return std::tuple{&SqueezeBackward1::d_self}; }
  static auto fields() {
    return std::tuple{field("dim", &SqueezeBackward1::dim_),
                      field("self_sizes", &SqueezeBackward1::self_sizes_)};
  }
  void save(const Tensor& self, int64_t dim) {
    dim_ = maybe_wrap_dim(dim, self.dim(), "squeeze");
    self_sizes_ = self.sizes().vec();
  }
  std::vector<int64_t> self_sizes_;
  int64_t dim_ = 0;
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("t", recorded_view<TBackward0, &t_op>);
  m.impl("transpose.int", recorded_view<TransposeBackward0, &transpose_op>);
  m.impl("unsqueeze", recorded_view<UnsqueezeBackward0, &unsqueeze_op>);
  m.impl("squeeze.dim", recorded_view<SqueezeBackward1, &squeeze_op>);
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("t", makes_view<&t_op>);
  m.impl("transpose.int", makes_view<&transpose_op>);
  m.impl("unsqueeze", makes_view<&unsqueeze_op>);
  m.impl("squeeze.dim", makes_view<&squeeze_op>);
}

}  // namespace gb::autograd
