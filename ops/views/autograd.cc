// PermuteBackward0 undoes itself; SelectBackward0, SliceBackward0 and DiagonalBackward0 put the gradient back
// where the view looked, by an operator whose own gradient is the same view again.
#include <limits>

#include "ops/common/derivative.h"
#include "ops/views/views.h"

namespace gb::autograd {
namespace {

struct PermuteBackward0 final : FormulaNode<PermuteBackward0> {
  Tensor d_self(const Tensor& grad) {
    std::vector<int64_t> inverse(dims_.size());
    for (size_t d = 0; d < dims_.size(); ++d)
      inverse[static_cast<size_t>(maybe_wrap_dim(dims_[d], grad.dim(), "permute"))] = static_cast<int64_t>(d);
    return grad.permute(inverse);
  }
  static auto gradients() { return std::tuple{&PermuteBackward0::d_self}; }
  static auto fields() { return std::tuple{field("dims", &PermuteBackward0::dims_)}; }
  void save(const Tensor&, IntArrayRef dims) { dims_ = dims.vec(); }
  std::vector<int64_t> dims_;
};

struct SelectBackward0 final : FormulaNode<SelectBackward0> {
  Tensor d_self(const Tensor& grad) { return select_backward(grad, self_sizes_, dim_, index_); }
  static auto gradients() { return std::tuple{&SelectBackward0::d_self}; }
  static auto fields() {
    return std::tuple{field("dim", &SelectBackward0::dim_), field("index", &SelectBackward0::index_),
                      field("self_sizes", &SelectBackward0::self_sizes_)};
  }
  void save(const Tensor& self, int64_t dim, int64_t index) {
    dim_ = dim, index_ = index, self_sizes_ = self.sizes().vec();
  }
  std::vector<int64_t> self_sizes_;
  int64_t dim_ = 0, index_ = 0;
};
struct SelectBackwardBackward0 final : FormulaNode<SelectBackwardBackward0> {
  Tensor d_grad_output(const Tensor& grad) { return grad.select(dim_, index_); }
  static auto gradients() { return std::tuple{&SelectBackwardBackward0::d_grad_output}; }
  static auto fields() {
    return std::tuple{field("dim", &SelectBackwardBackward0::dim_),
                      field("index", &SelectBackwardBackward0::index_)};
  }
  void save(const Tensor&, IntArrayRef, int64_t dim, int64_t index) { dim_ = dim, index_ = index; }
  int64_t dim_ = 0, index_ = 0;
};

struct SliceBackward0 final : FormulaNode<SliceBackward0> {
  Tensor d_self(const Tensor& grad) {
    constexpr int64_t to_the_end = std::numeric_limits<int64_t>::max();
    return slice_backward(grad, self_sizes_, dim_, start_.value_or(0), end_.value_or(to_the_end), step_);
  }
  static auto gradients() { return std::tuple{&SliceBackward0::d_self}; }
  static auto fields() {
    return std::tuple{field("dim", &SliceBackward0::dim_), field("end", &SliceBackward0::end_),
                      field("self_sizes", &SliceBackward0::self_sizes_),
                      field("start", &SliceBackward0::start_), field("step", &SliceBackward0::step_)};
  }
  void save(const Tensor& self, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
            int64_t step) {
    dim_ = dim, start_ = start, end_ = end, step_ = step, self_sizes_ = self.sizes().vec();
  }
  std::vector<int64_t> self_sizes_;
  std::optional<int64_t> start_, end_;
  int64_t dim_ = 0, step_ = 1;
};
struct SliceBackwardBackward0 final : FormulaNode<SliceBackwardBackward0> {
  Tensor d_grad_output(const Tensor& grad) { return grad.slice(dim_, start_, end_, step_); }
  static auto gradients() { return std::tuple{&SliceBackwardBackward0::d_grad_output}; }
  static auto fields() {
    return std::tuple{
        field("dim", &SliceBackwardBackward0::dim_), field("end", &SliceBackwardBackward0::end_),
        field("start", &SliceBackwardBackward0::start_), field("step", &SliceBackwardBackward0::step_)};
  }
  void save(const Tensor&, IntArrayRef, int64_t dim, int64_t start, int64_t end, int64_t step) {
    dim_ = dim, start_ = start, end_ = end, step_ = step;
  }
  int64_t dim_ = 0, start_ = 0, end_ = 0, step_ = 1;
};

struct DiagonalBackward0 final : FormulaNode<DiagonalBackward0> {
  Tensor d_self(const Tensor& grad) { return diagonal_backward(grad, self_sizes_, offset_, dim1_, dim2_); }
  static auto gradients() { return std::tuple{&DiagonalBackward0::d_self}; }
  static auto fields() {
    return std::tuple{field("dim1", &DiagonalBackward0::dim1_), field("dim2", &DiagonalBackward0::dim2_),
                      field("offset", &DiagonalBackward0::offset_),
                      field("self_sizes", &DiagonalBackward0::self_sizes_)};
  }
  void save(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
    offset_ = offset, dim1_ = dim1, dim2_ = dim2, self_sizes_ = self.sizes().vec();
  }
  std::vector<int64_t> self_sizes_;
  int64_t offset_ = 0, dim1_ = 0, dim2_ = 0;
};
struct DiagonalBackwardBackward0 final : FormulaNode<DiagonalBackwardBackward0> {
  Tensor d_grad_output(const Tensor& grad) { return grad.diagonal(offset_, dim1_, dim2_); }
  static auto gradients() { return std::tuple{&DiagonalBackwardBackward0::d_grad_output}; }
  static auto fields() {
    return std::tuple{field("dim1", &DiagonalBackwardBackward0::dim1_),
                      field("dim2", &DiagonalBackwardBackward0::dim2_),
                      field("offset", &DiagonalBackwardBackward0::offset_)};
  }
  void save(const Tensor&, IntArrayRef, int64_t offset, int64_t dim1, int64_t dim2) {
    offset_ = offset, dim1_ = dim1, dim2_ = dim2;
  }
  int64_t offset_ = 0, dim1_ = 0, dim2_ = 0;
};

struct AliasBackward0 final : SavesNothing<AliasBackward0> {
  Tensor d_self(const Tensor& grad) { return grad; }
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("permute", recorded_view<PermuteBackward0, &permute_op>);
  m.impl("select.int", recorded_view<SelectBackward0, &select_op>);
  m.impl("slice.Tensor", recorded_view<SliceBackward0, &slice_op>);
  m.impl("select_backward", recorded<SelectBackwardBackward0, &select_backward_op>);
  m.impl("slice_backward", recorded<SliceBackwardBackward0, &slice_backward_op>);
  m.impl("diagonal", recorded_view<DiagonalBackward0, &diagonal_op>);
  m.impl("diagonal_backward", recorded<DiagonalBackwardBackward0, &diagonal_backward_op>);
  m.impl("alias", recorded_view<AliasBackward0, &alias_op>);
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("permute", makes_view<&permute_op>);
  m.impl("select.int", makes_view<&select_op>);
  m.impl("slice.Tensor", makes_view<&slice_op>);
  m.impl("diagonal", makes_view<&diagonal_op>);
  m.impl("alias", makes_view<&alias_op>);
}

}  // namespace gb::autograd
