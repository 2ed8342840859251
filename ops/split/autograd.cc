// SplitBackward0, SplitWithSizesBackward0, UnbindBackward0: the gradients of the parts, joined again; zeros
// for a part that has none.
#include <algorithm>

#include "ops/common/derivative.h"
#include "ops/factories/factories.h"
#include "ops/join/join.h"
#include "ops/split/split.h"

namespace gb::autograd {
namespace {

// The first gradient there is, or null.
const Tensor* any_defined(const variable_list& grads) {
  const auto found =
      std::find_if(grads.begin(), grads.end(), [](const Tensor& grad) { return grad.defined(); });
  return found == grads.end() ? nullptr : &*found;
}

// `lengths`: how much of dimension `dim` of self_sizes each part took.
Tensor joined_gradient(variable_list grads, IntArrayRef lengths, int64_t dim, IntArrayRef self_sizes) {
  const TensorOptions options = any_defined(grads)->options();
  std::vector<int64_t> sizes = self_sizes.vec();
  const int64_t at = maybe_wrap_dim(dim, static_cast<int64_t>(sizes.size()), "split");
  for (size_t i = 0; i < grads.size(); ++i) {
    sizes[static_cast<size_t>(at)] = lengths[i];
    if (!grads[i].defined()) grads[i] = zeros(sizes, options);
  }
  return cat(grads, at);
}

struct SplitBackward0 final : FieldsNode<SplitBackward0> {
  variable_list apply(variable_list&& grads) override {
    if (!any_defined(grads) || !task_should_compute_output(0)) return {Tensor()};
    const int64_t size = self_sizes_[static_cast<size_t>(dim_)];
    return {joined_gradient(std::move(grads), split_lengths(size, split_size_), dim_, self_sizes_)};
  }
  static auto fields() {
    return std::tuple{field("dim", &SplitBackward0::dim_), field("self_sizes", &SplitBackward0::self_sizes_),
                      field("split_size", &SplitBackward0::split_size_)};
  }
  void save(const Tensor& self, int64_t split_size, int64_t dim) {
    split_size_ = split_size, dim_ = maybe_wrap_dim(dim, self.dim(), "split"),
    self_sizes_ = self.sizes().vec();
  }
  std::vector<int64_t> self_sizes_;
  int64_t dim_ = 0, split_size_ = 0;
};

struct SplitWithSizesBackward0 final : FieldsNode<SplitWithSizesBackward0> {
  variable_list apply(variable_list&& grads) override {
    if (!any_defined(grads) || !task_should_compute_output(0)) return {Tensor()};
    return {joined_gradient(std::move(grads), split_sizes_, dim_, self_sizes_)};
  }
  static auto fields() {
    return std::tuple{field("dim", &SplitWithSizesBackward0::dim_),
                      field("self_sizes", &SplitWithSizesBackward0::self_sizes_),
                      field("split_sizes", &SplitWithSizesBackward0::split_sizes_)};
  }
  void save(const Tensor& self, IntArrayRef split_sizes, int64_t dim) {
    split_sizes_ = split_sizes.vec(), dim_ = dim, self_sizes_ = self.sizes().vec();
  }
  std::vector<int64_t> self_sizes_, split_sizes_;
  int64_t dim_ = 0;
};

struct UnbindBackward0 final : FieldsNode<UnbindBackward0> {
  variable_list apply(variable_list&& grads) override {
    const Tensor* known = any_defined(grads);
    if (!known || !task_should_compute_output(0)) return {Tensor()};
    variable_list all = grads;
    for (Tensor& grad : all)
      if (!grad.defined()) grad = zeros(known->sizes(), known->options());
    return {stack(all, dim_)};
  }
  static auto fields() { return std::tuple{field("dim", &UnbindBackward0::dim_)}; }
  void save(const Tensor&, int64_t dim) { dim_ = dim; }
  int64_t dim_ = 0;
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("split.Tensor", recorded_view<SplitBackward0, &split_op>);
  m.impl("split_with_sizes", recorded_view<SplitWithSizesBackward0, &split_with_sizes_op>);
  m.impl("unbind.int", recorded_view<UnbindBackward0, &unbind_op>);
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("split.Tensor", makes_view<&split_op>);
  m.impl("split_with_sizes", makes_view<&split_with_sizes_op>);
  m.impl("unbind.int", makes_view<&unbind_op>);
}

}  // namespace gb::autograd
