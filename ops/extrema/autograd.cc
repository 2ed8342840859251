// The gradients of max and min.
//
//   max.dim    grad, where the index points; 0 elsewhere (MaxBackward0)
//   max        the elements that equal the result share its gradient evenly (MaxBackward1)
//
// The values have history, the indices have none.
#include "ops/common/derivative.h"
#include "ops/extrema/extrema.h"
#include "ops/factories/factories.h"
#include "ops/pointwise/pointwise.h"

namespace gb::autograd {
namespace {

template <class Derived>
struct SelectBackward : FormulaNode<Derived> {
  using Outputs = Arguments<0>;
  Tensor d_self(const Tensor& grad) {
    return value_selecting_reduction_backward(grad, dim_, this->unpack(indices_), self_sizes_, keepdim_);
  }
  static auto gradients() { return std::tuple{&SelectBackward::d_self}; }
  static auto fields() {
    return std::tuple{field("dim", &SelectBackward::dim_), field("keepdim", &SelectBackward::keepdim_),
                      field("self_sizes", &SelectBackward::self_sizes_),
                      field("indices", &SelectBackward::indices_)};
  }
  void save(const Tensor& self, int64_t dim, bool keepdim) {
    dim_ = dim, keepdim_ = keepdim, self_sizes_ = self.sizes().vec();
  }
  void save_result(const Tensor&, const Tensor& indices) { indices_ = this->saved_result(indices); }
  SavedVariable indices_;
  std::vector<int64_t> self_sizes_;
  int64_t dim_ = 0;
  bool keepdim_ = false;
};
struct MaxBackward0 final : SelectBackward<MaxBackward0> {};
struct MinBackward0 final : SelectBackward<MinBackward0> {};

template <class Derived>
struct ShareBackward : FormulaNode<Derived> {
  Tensor d_self(const Tensor& grad) {
    const Tensor self = this->unpack(self_), result = this->unpack(result_);
    const Tensor mask = where(result.isnan(), self.isnan(), self.eq(result));
    return zeros(self.sizes(), grad.options()).masked_fill(mask, grad.div(mask.sum()));
  }
  static auto gradients() { return std::tuple{&ShareBackward::d_self}; }
  static auto fields() {
    return std::tuple{field("self", &ShareBackward::self_), field("result", &ShareBackward::result_)};
  }
  void save(const Tensor& self) { self_ = this->saved_input(self); }
  void save_result(const Tensor& result) { result_ = this->saved_result(result); }
  SavedVariable self_, result_;
};
struct MaxBackward1 final : ShareBackward<MaxBackward1> {};
struct MinBackward1 final : ShareBackward<MinBackward1> {};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("max", recorded<MaxBackward1, &max_op>);
  m.impl("max.dim", recorded<MaxBackward0, &max_dim_op>);
  m.impl("min", recorded<MinBackward1, &min_op>);
  m.impl("min.dim", recorded<MinBackward0, &min_dim_op>);
  no_gradient(m, {"argmax", "argmin"});
}

}  // namespace gb::autograd
