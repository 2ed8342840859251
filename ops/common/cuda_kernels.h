// The CUDA sides of binary_op.h and unary_op.h: make the tensors' device current, launch on its stream.
#pragma once

#include "ops/common/binary_op.h"
#include "ops/common/unary_op.h"

namespace gb {

BinaryKernel binary_kernel_cuda;
UnaryKernel unary_kernel_cuda;

// The kernels of an operator, for m.impl.
template <UnaryOp op>
Tensor unary_cuda(const Tensor& self) {
  return unary_op(op, self, &unary_kernel_cuda);
}
template <UnaryOp op>
Tensor& unary_inplace_cuda(Tensor& self) {
  return unary_op_(op, self, &unary_kernel_cuda);
}
template <BinaryOp op>
Tensor binary_cuda(const Tensor& self, const Tensor& other) {
  return binary_op(op, self, other, 1, &binary_kernel_cuda);
}
template <BinaryOp op>
Tensor& binary_inplace_cuda(Tensor& self, const Tensor& other) {
  return binary_op_(op, self, other, 1, &binary_kernel_cuda);
}

}  // namespace gb
