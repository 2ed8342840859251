// The gradients of tanh, sigmoid, relu and gelu, and the gradients of those gradients.
//
//   y = tanh(x)       d x = grad (1 - y^2)           = tanh_backward(grad, y)
//   y = sigmoid(x)    d x = grad y (1 - y)           = sigmoid_backward(grad, y)
//   y = relu(x)       d x = grad where y > 0         = threshold_backward(grad, y, 0)
//   y = gelu(x)       d x = grad gelu'(x)            = gelu_backward(grad, x)
//
// All four are linear in grad, so their gradient by grad_output is the same operator again.
#include <numbers>

#include "ops/activations/activations.h"
#include "ops/common/derivative.h"
#include "ops/factories/factories.h"

namespace gb::autograd {
namespace {

struct TanhBackward0 final : SavesResult<TanhBackward0> {
  Tensor d_self(const Tensor& grad) { return tanh_backward(grad, result()); }
};
struct SigmoidBackward0 final : SavesResult<SigmoidBackward0> {
  Tensor d_self(const Tensor& grad) { return sigmoid_backward(grad, result()); }
};
struct ReluBackward0 final : SavesResult<ReluBackward0> {
  Tensor d_self(const Tensor& grad) { return threshold_backward(grad, result(), 0); }
};

struct GeluBackward0 final : FormulaNode<GeluBackward0> {
  Tensor d_self(const Tensor& grad) { return gelu_backward(grad, unpack(self_), approximate_); }
  static auto gradients() { return std::tuple{&GeluBackward0::d_self}; }
  static auto fields() {
    return std::tuple{field("approximate", &GeluBackward0::approximate_),
                      field("self", &GeluBackward0::self_)};
  }
  bool needs_self() const { return true; }
  void save(const Tensor& self, std::string_view approximate) {
    approximate_ = approximate;
    self_ = saved_input(self);
  }
  std::string approximate_;
  SavedVariable self_;
};

// f_backward(grad_output, output), of tanh and sigmoid.
template <class Derived>
struct SavesGradAndOutput : FormulaNode<Derived> {
  static auto gradients() { return std::tuple{&Derived::d_grad_output, &Derived::d_output}; }
  static auto fields() {
    return std::tuple{field("grad_output", &SavesGradAndOutput::grad_output_),
                      field("output", &SavesGradAndOutput::output_)};
  }
  void save(const Tensor& grad_output, const Tensor& output) {
    if (this->should_compute_output(1)) grad_output_ = this->saved_input(grad_output);
    output_ = this->saved_input(output);
  }
  SavedVariable grad_output_, output_;
};
struct TanhBackwardBackward0 final : SavesGradAndOutput<TanhBackwardBackward0> {
  Tensor d_grad_output(const Tensor& grad) { return tanh_backward(grad, unpack(output_)); }
  Tensor d_output(const Tensor& grad) { return grad.mul(unpack(output_).mul(-2).mul(unpack(grad_output_))); }
};
struct SigmoidBackwardBackward0 final : SavesGradAndOutput<SigmoidBackwardBackward0> {
  Tensor d_grad_output(const Tensor& grad) { return sigmoid_backward(grad, unpack(output_)); }
  Tensor d_output(const Tensor& grad) {
    return grad.mul(unpack(grad_output_)).mul(unpack(output_).mul(-2).add(1));
  }
};

struct ThresholdBackwardBackward0 final : FormulaNode<ThresholdBackwardBackward0> {
  Tensor d_grad_output(const Tensor& grad) { return threshold_backward(grad, unpack(self_), threshold_); }
  Tensor d_self(const Tensor& grad) { return zeros_like(grad); }
  static auto gradients() {
    return std::tuple{&ThresholdBackwardBackward0::d_grad_output, &ThresholdBackwardBackward0::d_self};
  }
  static auto fields() {
    return std::tuple{field("self", &ThresholdBackwardBackward0::self_),
                      field("threshold", &ThresholdBackwardBackward0::threshold_)};
  }
  void save(const Tensor&, const Tensor& self, const Scalar& threshold) {
    if (should_compute_output(0)) self_ = saved_input(self);
    threshold_ = threshold;
  }
  SavedVariable self_;
  Scalar threshold_;
};

// The second derivative of gelu. By the normal distribution, with density p: (2 - x^2) p(x).
Tensor second_derivative(const Tensor& x) {
  const Tensor squared = x.mul(x);
  const double scale = std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  return squared.neg().add(2).mul(squared.mul(-0.5).exp()).mul(scale);
}
// By t = tanh(u(x)):  (1 - t^2) (u' + x/2 u'' - x t u'^2), with u = k (x + c x^3).
Tensor second_derivative_of_tanh_form(const Tensor& x) {
  const double k = std::numbers::sqrt2 * std::numbers::inv_sqrtpi, c = 0.044715;
  const Tensor squared = x.mul(x);
  const Tensor t = x.add(x.mul(squared).mul(c)).mul(k).tanh();
  const Tensor du = squared.mul(3 * c).add(1).mul(k), half_x_ddu = squared.mul(3 * c * k);
  return t.mul(t).neg().add(1).mul(du.add(half_x_ddu).sub(x.mul(t).mul(du.mul(du))));
}

struct GeluBackwardBackward0 final : FormulaNode<GeluBackwardBackward0> {
  Tensor d_grad_output(const Tensor& grad) { return gelu_backward(grad, unpack(self_), approximate_); }
  Tensor d_self(const Tensor& grad) {
    const Tensor x = unpack(self_);
    return grad.mul(unpack(grad_output_))
        .mul(approximate_ == "tanh" ? second_derivative_of_tanh_form(x) : second_derivative(x));
  }
  static auto gradients() {
    return std::tuple{&GeluBackwardBackward0::d_grad_output, &GeluBackwardBackward0::d_self};
  }
  static auto fields() {
    return std::tuple{field("approximate", &GeluBackwardBackward0::approximate_),
                      field("grad_output", &GeluBackwardBackward0::grad_output_),
                      field("self", &GeluBackwardBackward0::self_)};
  }
  void save(const Tensor& grad_output, const Tensor& self, std::string_view approximate) {
    if (should_compute_output(1)) grad_output_ = saved_input(grad_output);
    self_ = saved_input(self);
    approximate_ = approximate;
  }
  SavedVariable grad_output_, self_;
  std::string approximate_;
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("tanh", recorded<TanhBackward0, &tanh_op>);
  m.impl("tanh_", recorded_inplace<TanhBackward0, &tanh__op>);
  m.impl("tanh_backward", recorded<TanhBackwardBackward0, &tanh_backward_op>);
  m.impl("sigmoid", recorded<SigmoidBackward0, &sigmoid_op>);
  m.impl("sigmoid_", recorded_inplace<SigmoidBackward0, &sigmoid__op>);
  m.impl("sigmoid_backward", recorded<SigmoidBackwardBackward0, &sigmoid_backward_op>);
  m.impl("relu", recorded<ReluBackward0, &relu_op>);
  m.impl("relu_", recorded_inplace<ReluBackward0, &relu__op>);
  m.impl("threshold_backward", recorded<ThresholdBackwardBackward0, &threshold_backward_op>);
  m.impl("gelu", recorded<GeluBackward0, &gelu_op>);
  m.impl("gelu_", recorded_inplace<GeluBackward0, &gelu__op>);
  m.impl("gelu_backward", recorded<GeluBackwardBackward0, &gelu_backward_op>);
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("tanh_", bumps_version<&tanh__op>);
  m.impl("sigmoid_", bumps_version<&sigmoid__op>);
  m.impl("relu_", bumps_version<&relu__op>);
  m.impl("gelu_", bumps_version<&gelu__op>);
}

}  // namespace gb::autograd
