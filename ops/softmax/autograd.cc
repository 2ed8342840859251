// The gradients of softmax and log_softmax. Both save the *output*; x is not needed.
//
//   y = softmax(x)        d x = y * (grad - sum(grad * y)) =: B(grad, y)
//   y = log_softmax(x)    d x = grad - exp(y) * sum(grad) =: L(grad, y)
//
// Both are operators with gradients of their own. B is linear in grad and symmetric, so its d grad is B
// again; of L it is g - sum(g * exp(y)). What comes back through y is written out below.
#include "ops/common/derivative.h"
#include "ops/softmax/softmax.h"

namespace gb::autograd {
namespace {

// `op` is the operator that gives the input's gradient.
template <class Derived, auto* op>
struct SavesOutput : FormulaNode<Derived> {
  Tensor d_self(const Tensor& grad) { return op().call(grad, this->unpack(result_), dim_, self_dtype_); }
  static auto gradients() { return std::tuple{&SavesOutput::d_self}; }
  static auto fields() {
    return std::tuple{field("dim", &SavesOutput::dim_), field("result", &SavesOutput::result_),
                      field("self_dtype", &SavesOutput::self_dtype_)};
  }
  void save(const Tensor& self, int64_t dim, bool) { dim_ = dim, self_dtype_ = self.scalar_type(); }
  void save_result(const Tensor& result) { result_ = this->saved_result(result); }
  SavedVariable result_;
  int64_t dim_ = 0;
  ScalarType self_dtype_ = kFloat;
};
struct SoftmaxBackward0 final : SavesOutput<SoftmaxBackward0, &_softmax_backward_data_op> {};
struct SafeSoftmaxBackward0 final : SavesOutput<SafeSoftmaxBackward0, &_softmax_backward_data_op> {
  void save(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
    dim_ = dim, self_dtype_ = dtype.value_or(self.scalar_type());
  }
};
struct LogSoftmaxBackward0 final : SavesOutput<LogSoftmaxBackward0, &_log_softmax_backward_data_op> {};

template <class Derived>
struct SavesBoth : FormulaNode<Derived> {
  static auto gradients() { return std::tuple{&Derived::d_grad_output, &Derived::d_output}; }
  static auto fields() {
    return std::tuple{field("dim", &SavesBoth::dim_), field("grad_output", &SavesBoth::grad_output_),
                      field("output", &SavesBoth::output_)};
  }
  void save(const Tensor& grad_output, const Tensor& output, int64_t dim, ScalarType) {
    dim_ = dim;
    output_ = this->saved_input(output);
    if (this->should_compute_output(1)) grad_output_ = this->saved_input(grad_output);
  }

 protected:
  Tensor output() { return this->unpack(output_); }
  Tensor grad_output() { return this->unpack(grad_output_); }
  // The gradient that comes in has the dtype of softmax's input, which half_to_float widened.
  Tensor in_dtype_of(const Tensor& y, const Tensor& grad) {
    return grad.scalar_type() == y.scalar_type() ? grad : grad.to(y.scalar_type());
  }
  Tensor sum(const Tensor& t) { return t.sum({dim_}, true); }
  SavedVariable grad_output_, output_;
  int64_t dim_ = 0;
};

struct SoftmaxBackwardDataBackward0 final : SavesBoth<SoftmaxBackwardDataBackward0> {
  Tensor d_grad_output(const Tensor& grad) {
    const Tensor y = output();
    return _softmax_backward_data(in_dtype_of(y, grad), y, dim_, y.scalar_type());
  }
  Tensor d_output(const Tensor& grad) {
    const Tensor y = output(), g = in_dtype_of(y, grad), go = grad_output();
    return go.mul(g).sub(sum(y.mul(go)).mul(g)).sub(go.mul(sum(y.mul(g))));
  }
};

struct LogSoftmaxBackwardDataBackward0 final : SavesBoth<LogSoftmaxBackwardDataBackward0> {
  Tensor d_grad_output(const Tensor& grad) {
    const Tensor y = output(), g = in_dtype_of(y, grad);
    return g.sub(sum(g.mul(y.exp())));
  }
  Tensor d_output(const Tensor& grad) {
    const Tensor y = output();
    return sum(grad_output()).neg().mul(y.exp()).mul(in_dtype_of(y, grad));
  }
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("_softmax", recorded<SoftmaxBackward0, &_softmax_op>);
  m.impl("_safe_softmax", recorded<SafeSoftmaxBackward0, &_safe_softmax_op>);
  m.impl("_softmax_backward_data", recorded<SoftmaxBackwardDataBackward0, &_softmax_backward_data_op>);
  m.impl("_log_softmax", recorded<LogSoftmaxBackward0, &_log_softmax_op>);
  m.impl("_log_softmax_backward_data",
         recorded<LogSoftmaxBackwardDataBackward0, &_log_softmax_backward_data_op>);
}

}  // namespace gb::autograd
