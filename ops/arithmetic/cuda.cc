// The CUDA kernels.
#include "dispatcher/library.h"
#include "ops/common/binary_op.h"
#include "ops/common/cuda_kernels.h"

namespace gb {
namespace {

Tensor add_cuda(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return binary_op(BinaryOp::Add, self, other, alpha, &binary_kernel_cuda);
}
Tensor& add__cuda(Tensor& self, const Tensor& other, const Scalar& alpha) {
  return binary_op_(BinaryOp::Add, self, other, alpha, &binary_kernel_cuda);
}
Tensor sub_cuda(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return binary_op(BinaryOp::Sub, self, other, alpha, &binary_kernel_cuda);
}
Tensor& sub__cuda(Tensor& self, const Tensor& other, const Scalar& alpha) {
  return binary_op_(BinaryOp::Sub, self, other, alpha, &binary_kernel_cuda);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("add.Tensor", GB_FN(add_cuda));
  m.impl("add_.Tensor", GB_FN(add__cuda));
  m.impl("sub.Tensor", GB_FN(sub_cuda));
  m.impl("sub_.Tensor", GB_FN(sub__cuda));
  m.impl("mul.Tensor", GB_FN(binary_cuda<BinaryOp::Mul>));
  m.impl("mul_.Tensor", GB_FN(binary_inplace_cuda<BinaryOp::Mul>));
  m.impl("div.Tensor", GB_FN(binary_cuda<BinaryOp::Div>));
  m.impl("div_.Tensor", GB_FN(binary_inplace_cuda<BinaryOp::Div>));
}

}  // namespace gb
