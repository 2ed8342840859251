// The CPU and Meta kernels: ops/common/unary_op.h and binary_op.h with an enumerator each.
#include <fmt/format.h>

#include "dispatcher/library.h"
#include "ops/activations/activations.h"
#include "ops/activations/gelu_form.h"
#include "ops/common/binary_op.h"
#include "ops/common/unary_op.h"

namespace gb {
namespace {

// Is it the form by tanh? Checks what gelu takes.
bool by_tanh(const Tensor& self, std::string_view approximate) {
  GB_CHECK_OR_THROW(approximate == "none" || approximate == "tanh", Error,
                    .what = "gelu: approximate argument must be either none or tanh.",
                    .cause = fmt::format("approximate is \"{}\"", approximate),
                    .repair = "leave it out for the exact form", .chapter = chapters::kKernels);
  GB_CHECK_OR_THROW(
      self.is_floating_point(), NotImplementedError,
      .what = fmt::format("gelu: \"GeluKernelImpl\" not implemented for '{}'", toString(self.scalar_type())),
      .cause = "gelu does not promote integers", .repair = "convert it: x.to(kFloat)",
      .chapter = chapters::kKernels);
  return approximate == "tanh";
}

}  // namespace

UnaryOp gelu_form(const Tensor& self, std::string_view approximate) {
  return by_tanh(self, approximate) ? UnaryOp::GeluTanh : UnaryOp::Gelu;
}
BinaryOp gelu_backward_form(const Tensor& self, std::string_view approximate) {
  return by_tanh(self, approximate) ? BinaryOp::GeluTanhBackward : BinaryOp::GeluBackward;
}

namespace {

Tensor gelu_cpu(const Tensor& self, std::string_view approximate) {
  return unary_op(gelu_form(self, approximate), self, &unary_kernel_cpu);
}
Tensor gelu_meta(const Tensor& self, std::string_view approximate) {
  return unary_op(gelu_form(self, approximate), self, nullptr);
}
Tensor& gelu__cpu(Tensor& self, std::string_view approximate) {
  return unary_op_(gelu_form(self, approximate), self, &unary_kernel_cpu);
}
Tensor& gelu__meta(Tensor& self, std::string_view approximate) {
  return unary_op_(gelu_form(self, approximate), self, nullptr);
}

Tensor gelu_backward_cpu(const Tensor& grad_output, const Tensor& self, std::string_view approximate) {
  return binary_op(gelu_backward_form(self, approximate), grad_output, self, 1, &binary_kernel_cpu);
}
Tensor gelu_backward_meta(const Tensor& grad_output, const Tensor& self, std::string_view approximate) {
  return binary_op(gelu_backward_form(self, approximate), grad_output, self, 1, nullptr);
}
Tensor threshold_backward_cpu(const Tensor& grad_output, const Tensor& self, const Scalar& threshold) {
  return binary_op_cpu(BinaryOp::ThresholdBackward, grad_output, self, threshold);
}
Tensor threshold_backward_meta(const Tensor& grad_output, const Tensor& self, const Scalar& threshold) {
  return binary_op(BinaryOp::ThresholdBackward, grad_output, self, threshold, nullptr);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("tanh", GB_FN(unary_cpu<UnaryOp::Tanh>));
  m.impl("tanh_", GB_FN(unary_inplace_cpu<UnaryOp::Tanh>));
  m.impl("sigmoid", GB_FN(unary_cpu<UnaryOp::Sigmoid>));
  m.impl("sigmoid_", GB_FN(unary_inplace_cpu<UnaryOp::Sigmoid>));
  m.impl("relu", GB_FN(unary_cpu<UnaryOp::Relu>));
  m.impl("relu_", GB_FN(unary_inplace_cpu<UnaryOp::Relu>));
  m.impl("gelu", GB_FN(gelu_cpu));
  m.impl("gelu_", GB_FN(gelu__cpu));
  m.impl("tanh_backward", GB_FN(binary_cpu<BinaryOp::TanhBackward>));
  m.impl("sigmoid_backward", GB_FN(binary_cpu<BinaryOp::SigmoidBackward>));
  m.impl("threshold_backward", GB_FN(threshold_backward_cpu));
  m.impl("gelu_backward", GB_FN(gelu_backward_cpu));
}
GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("tanh", GB_FN(unary_meta<UnaryOp::Tanh>));
  m.impl("tanh_", GB_FN(unary_inplace_meta<UnaryOp::Tanh>));
  m.impl("sigmoid", GB_FN(unary_meta<UnaryOp::Sigmoid>));
  m.impl("sigmoid_", GB_FN(unary_inplace_meta<UnaryOp::Sigmoid>));
  m.impl("relu", GB_FN(unary_meta<UnaryOp::Relu>));
  m.impl("relu_", GB_FN(unary_inplace_meta<UnaryOp::Relu>));
  m.impl("gelu", GB_FN(gelu_meta));
  m.impl("gelu_", GB_FN(gelu__meta));
  m.impl("tanh_backward", GB_FN(binary_meta<BinaryOp::TanhBackward>));
  m.impl("sigmoid_backward", GB_FN(binary_meta<BinaryOp::SigmoidBackward>));
  m.impl("threshold_backward", GB_FN(threshold_backward_meta));
  m.impl("gelu_backward", GB_FN(gelu_backward_meta));
}

}  // namespace gb
