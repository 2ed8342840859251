// tanh, sigmoid, relu, gelu, their in-place forms, and the operators that their gradients are:
// f_backward(grad, saved).
//
//   gelu(x) = x * P(a normal number is below x)          approximate = "none"
//           = x / 2 * (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))             "tanh"
//
// tanh and sigmoid of integers give the default floating dtype, relu keeps it, gelu refuses them.
// threshold_backward passes grad where self > threshold: of relu's result, with 0, that is its gradient.
// Names follow ATen/native/Activation.cpp.
#pragma once

#include <string_view>

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor tanh(const Tensor& self);
Tensor& tanh_(Tensor& self);
Tensor sigmoid(const Tensor& self);
Tensor& sigmoid_(Tensor& self);
Tensor relu(const Tensor& self);
Tensor& relu_(Tensor& self);
Tensor gelu(const Tensor& self, std::string_view approximate = "none");
Tensor& gelu_(Tensor& self, std::string_view approximate = "none");

Tensor tanh_backward(const Tensor& grad_output, const Tensor& output);
Tensor sigmoid_backward(const Tensor& grad_output, const Tensor& output);
Tensor threshold_backward(const Tensor& grad_output, const Tensor& self, const Scalar& threshold);
Tensor gelu_backward(const Tensor& grad_output, const Tensor& self, std::string_view approximate = "none");

inline const auto& tanh_op() { return operator_of<"aten::tanh", Tensor(const Tensor&)>(); }
inline const auto& tanh__op() { return operator_of<"aten::tanh_", Tensor&(Tensor&)>(); }
inline const auto& sigmoid_op() { return operator_of<"aten::sigmoid", Tensor(const Tensor&)>(); }
inline const auto& sigmoid__op() { return operator_of<"aten::sigmoid_", Tensor&(Tensor&)>(); }
inline const auto& relu_op() { return operator_of<"aten::relu", Tensor(const Tensor&)>(); }
inline const auto& relu__op() { return operator_of<"aten::relu_", Tensor&(Tensor&)>(); }
inline const auto& gelu_op() { return operator_of<"aten::gelu", Tensor(const Tensor&, std::string_view)>(); }
inline const auto& gelu__op() { return operator_of<"aten::gelu_", Tensor&(Tensor&, std::string_view)>(); }
inline const auto& tanh_backward_op() {
  return operator_of<"aten::tanh_backward", Tensor(const Tensor&, const Tensor&)>();
}
inline const auto& sigmoid_backward_op() {
  return operator_of<"aten::sigmoid_backward", Tensor(const Tensor&, const Tensor&)>();
}
inline const auto& threshold_backward_op() {
  return operator_of<"aten::threshold_backward", Tensor(const Tensor&, const Tensor&, const Scalar&)>();
}
inline const auto& gelu_backward_op() {
  return operator_of<"aten::gelu_backward", Tensor(const Tensor&, const Tensor&, std::string_view)>();
}

}  // namespace gb
