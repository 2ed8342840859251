// CatBackward0 and StackBackward0: each tensor gets its part of the gradient. The engine undoes the
// promotion.
#include "ops/common/derivative.h"
#include "ops/factories/factories.h"
#include "ops/join/join.h"

namespace gb::autograd {
namespace {

struct CatBackward0 final : FormulaNode<CatBackward0> {
  variable_list d_tensors(const Tensor& grad) {
    variable_list given;
    int64_t start = 0;
    for (const std::vector<int64_t>& sizes : tensors_args_sizes_) {
      if (is_skipped_by_cat(sizes)) {
        given.push_back(zeros({0}, grad.options()));
        continue;
      }
      const int64_t length = sizes[static_cast<size_t>(dim_)];
      given.push_back(grad.narrow(dim_, start, length));
      start += length;
    }
    return given;
  }
  static auto gradients() { return std::tuple{&CatBackward0::d_tensors}; }
  static auto fields() {
    return std::tuple{field("dim", &CatBackward0::dim_),
                      field("tensors_args_sizes", &CatBackward0::tensors_args_sizes_)};
  }
  void save(TensorList tensors, int64_t dim) {
    dim_ = wrapped_cat_dim(tensors, dim);
    for (const Tensor& t : tensors) tensors_args_sizes_.push_back(t.sizes().vec());
  }
  std::vector<std::vector<int64_t>> tensors_args_sizes_;
  int64_t dim_ = 0;
};

struct StackBackward0 final : FormulaNode<StackBackward0> {
  variable_list d_tensors(const Tensor& grad) { return grad.unbind(dim_); }
  static auto gradients() { return std::tuple{&StackBackward0::d_tensors}; }
  static auto fields() { return std::tuple{field("dim", &StackBackward0::dim_)}; }
  void save(TensorList, int64_t dim) { dim_ = dim; }
  int64_t dim_ = 0;
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("cat", recorded<CatBackward0, &cat_op>);
  m.impl("stack", recorded<StackBackward0, &stack_op>);
}

}  // namespace gb::autograd
