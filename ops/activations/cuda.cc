// The CUDA kernels.
#include "dispatcher/library.h"
#include "ops/activations/gelu_form.h"
#include "ops/common/cuda_kernels.h"

namespace gb {
namespace {

Tensor gelu_cuda(const Tensor& self, std::string_view approximate) {
  return unary_op(gelu_form(self, approximate), self, &unary_kernel_cuda);
}
Tensor& gelu__cuda(Tensor& self, std::string_view approximate) {
  return unary_op_(gelu_form(self, approximate), self, &unary_kernel_cuda);
}
Tensor gelu_backward_cuda(const Tensor& grad_output, const Tensor& self, std::string_view approximate) {
  return binary_op(gelu_backward_form(self, approximate), grad_output, self, 1, &binary_kernel_cuda);
}
Tensor threshold_backward_cuda(const Tensor& grad_output, const Tensor& self, const Scalar& threshold) {
  return binary_op(BinaryOp::ThresholdBackward, grad_output, self, threshold, &binary_kernel_cuda);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("tanh", GB_FN(unary_cuda<UnaryOp::Tanh>));
  m.impl("tanh_", GB_FN(unary_inplace_cuda<UnaryOp::Tanh>));
  m.impl("sigmoid", GB_FN(unary_cuda<UnaryOp::Sigmoid>));
  m.impl("sigmoid_", GB_FN(unary_inplace_cuda<UnaryOp::Sigmoid>));
  m.impl("relu", GB_FN(unary_cuda<UnaryOp::Relu>));
  m.impl("relu_", GB_FN(unary_inplace_cuda<UnaryOp::Relu>));
  m.impl("gelu", GB_FN(gelu_cuda));
  m.impl("gelu_", GB_FN(gelu__cuda));
  m.impl("tanh_backward", GB_FN(binary_cuda<BinaryOp::TanhBackward>));
  m.impl("sigmoid_backward", GB_FN(binary_cuda<BinaryOp::SigmoidBackward>));
  m.impl("threshold_backward", GB_FN(threshold_backward_cuda));
  m.impl("gelu_backward", GB_FN(gelu_backward_cuda));
}

}  // namespace gb
