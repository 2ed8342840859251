// IndexSelectBackward0, IndexAddBackward0: what was read from a slice is added to it; what was added to one
// is read from it.
#include "ops/common/derivative.h"
#include "ops/index_select/index_select.h"

namespace gb::autograd {
namespace {

struct IndexSelectBackward0 final : FormulaNode<IndexSelectBackward0> {
  using Differentiable = Arguments<0>;
  Tensor d_self(const Tensor& grad) { return index_select_backward(grad, self_sizes_, dim_, unpack(index_)); }
  static auto gradients() { return std::tuple{&IndexSelectBackward0::d_self}; }
  static auto fields() {
    return std::tuple{field("dim", &IndexSelectBackward0::dim_),
                      field("index", &IndexSelectBackward0::index_),
                      field("self_sizes", &IndexSelectBackward0::self_sizes_)};
  }
  void save(const Tensor& self, int64_t dim, const Tensor& index) {
    dim_ = dim, index_ = saved_input(index), self_sizes_ = self.sizes().vec();
  }
  SavedVariable index_;
  std::vector<int64_t> self_sizes_;
  int64_t dim_ = 0;
};

struct IndexAddBackward0 final : FormulaNode<IndexAddBackward0> {
  using Differentiable = Arguments<0, 3>;
  Tensor d_self(const Tensor& grad) { return grad; }
  Tensor d_source(const Tensor& grad) {
    const Tensor index = unpack(index_);
    const bool is_scalar =
        source_sizes_.empty();  // then the index has one element, in a dimension that source lacks
    const Tensor slices =
        is_scalar ? grad.index_select(dim_, index.reshape({})).reshape({}) : grad.index_select(dim_, index);
    return alpha_.equal(1) ? slices : slices.mul(alpha_);
  }
  static auto gradients() { return std::tuple{&IndexAddBackward0::d_self, &IndexAddBackward0::d_source}; }
  static auto fields() {
    return std::tuple{field("alpha", &IndexAddBackward0::alpha_), field("dim", &IndexAddBackward0::dim_),
                      field("index", &IndexAddBackward0::index_),
                      field("source_sizes", &IndexAddBackward0::source_sizes_)};
  }
  void save(const Tensor&, int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha) {
    dim_ = dim, alpha_ = alpha, source_sizes_ = source.sizes().vec();
    if (should_compute_output(1)) index_ = saved_input(index);
  }
  SavedVariable index_;
  Scalar alpha_;
  std::vector<int64_t> source_sizes_;
  int64_t dim_ = 0;
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("index_select", recorded<IndexSelectBackward0, &index_select_op>);
  m.impl("index_add", recorded<IndexAddBackward0, &index_add_op>);
  m.impl("index_add_", recorded_inplace<IndexAddBackward0, &index_add__op>);
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) { m.impl("index_add_", bumps_version<&index_add__op>); }

}  // namespace gb::autograd
