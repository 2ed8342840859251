// Each is the other's gradient: what gather read from one place, its gradient adds there; what scatter_add
// added, its gradient reads there.
#include "autograd/operators.h"
#include "ops/common/derivative.h"
#include "ops/gather/gather.h"

namespace gb::autograd {
namespace {

struct GatherBackward0 final : FormulaNode<GatherBackward0> {
  using Differentiable = Arguments<0>;
  Tensor d_self(const Tensor& grad) {
    return ops::zeros(self_sizes_, grad.options()).scatter_add(dim_, unpack(index_), grad);
  }
  static auto gradients() { return std::tuple{&GatherBackward0::d_self}; }
  static auto fields() {
    return std::tuple{field("dim", &GatherBackward0::dim_), field("index", &GatherBackward0::index_),
                      field("self_sizes", &GatherBackward0::self_sizes_)};
  }
  void save(const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad) {
    GB_CHECK_OR_THROW(
        !sparse_grad, NotImplementedError, .what = "gb::gather: sparse_grad=True is not supported",
        .cause = "there are no sparse tensors here, and self requires grad",
        .repair = "leave sparse_grad out: the gradient is dense", .chapter = chapters::kAutograd);
    index_ = saved_input(index);
    self_sizes_ = self.sizes().vec(), dim_ = dim;
  }
  SavedVariable index_;
  std::vector<int64_t> self_sizes_;
  int64_t dim_ = 0;
};

struct ScatterAddBackward0 final : FormulaNode<ScatterAddBackward0> {
  using Differentiable = Arguments<0, 3>;
  Tensor d_self(const Tensor& grad) { return grad; }
  Tensor d_src(const Tensor& grad) { return grad.gather(dim_, unpack(index_)); }
  static auto gradients() { return std::tuple{&ScatterAddBackward0::d_self, &ScatterAddBackward0::d_src}; }
  static auto fields() {
    return std::tuple{field("dim", &ScatterAddBackward0::dim_), field("index", &ScatterAddBackward0::index_)};
  }
  void save(const Tensor&, int64_t dim, const Tensor& index, const Tensor& src) {
    dim_ = dim;
    if (!should_compute_output(1)) return;
    // A src larger than the index gets no gradient outside it, which gather alone cannot give.
    GB_CHECK_OR_THROW(src.sizes() == index.sizes(), NotImplementedError,
                      .what = "gb::scatter_add: no gradient for a src that is larger than the index",
                      .cause = "src has sizes " + to_string(src.sizes()) + ", index has sizes " + to_string(index.sizes()),
                      .repair = "narrow src to the sizes of the index first", .chapter = chapters::kAutograd);
    index_ = saved_input(index);
  }
  SavedVariable index_;
  int64_t dim_ = 0;
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("gather", recorded<GatherBackward0, &gather_op>);
  m.impl("scatter_add", recorded<ScatterAddBackward0, &scatter_add_op>);
  m.impl("scatter_add_", recorded_inplace<ScatterAddBackward0, &scatter_add__op>);
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) { m.impl("scatter_add_", bumps_version<&scatter_add__op>); }

}  // namespace gb::autograd
