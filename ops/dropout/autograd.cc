// The gradient of native_dropout is that of a product with a constant: grad * mask * scale. While backward is
// recorded (create_graph) it is written out, as in PyTorch; else it is one operator, which has a gradient of
// its own all the same.
#include "ops/common/derivative.h"
#include "ops/dropout/dropout.h"

namespace gb::autograd {
namespace {

Tensor through_mask(const Tensor& grad, const Tensor& mask, double scale) {
  return grad.mul(mask.to(grad.scalar_type()).mul(scale));
}

struct NativeDropoutBackward0 final : FormulaNode<NativeDropoutBackward0> {
  using Outputs = Arguments<0>;
  Tensor d_input(const Tensor& grad) {
    const double scale = !train_.value_or(true) ? 1.0 : p_ == 1 ? 0.0 : 1.0 / (1.0 - p_);
    const Tensor mask = unpack(result1_);
    return GradMode::is_enabled() ? through_mask(grad, mask, scale)
                                  : native_dropout_backward(grad, mask, scale);
  }
  static auto gradients() { return std::tuple{&NativeDropoutBackward0::d_input}; }
  static auto fields() {
    return std::tuple{field("p", &NativeDropoutBackward0::p_),
                      field("train", &NativeDropoutBackward0::train_),
                      field("result1", &NativeDropoutBackward0::result1_)};
  }
  void save(const Tensor&, double p, std::optional<bool> train) { p_ = p, train_ = train; }
  void save_result(const Tensor&, const Tensor& mask) { result1_ = saved_input(mask); }  // has no history
  SavedVariable result1_;
  double p_ = 0;
  std::optional<bool> train_;
};

struct NativeDropoutBackwardBackward0 final : FormulaNode<NativeDropoutBackwardBackward0> {
  using Differentiable = Arguments<0, 1>;
  Tensor d_grad_output(const Tensor& grad) { return through_mask(grad, unpack(mask_), scale_); }
  Tensor d_mask(const Tensor&) { return {}; }  // bool: never asked for
  static auto gradients() {
    return std::tuple{&NativeDropoutBackwardBackward0::d_grad_output, &NativeDropoutBackwardBackward0::d_mask};
  }
  static auto fields() {
    return std::tuple{field("mask", &NativeDropoutBackwardBackward0::mask_),
                      field("scale", &NativeDropoutBackwardBackward0::scale_)};
  }
  void save(const Tensor&, const Tensor& mask, double scale) {
    mask_ = saved_input(mask);
    scale_ = scale;
  }
  SavedVariable mask_;
  double scale_ = 1;
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("native_dropout", recorded<NativeDropoutBackward0, &native_dropout_op>);
  m.impl("native_dropout_backward", recorded<NativeDropoutBackwardBackward0, &native_dropout_backward_op>);
}

}  // namespace gb::autograd
