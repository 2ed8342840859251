// The CUDA kernels.
#include "dispatcher/library.h"
#include "ops/common/cuda_kernels.h"

namespace gb {

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("eq.Tensor", GB_FN(binary_cuda<BinaryOp::Eq>));
  m.impl("eq_.Tensor", GB_FN(binary_inplace_cuda<BinaryOp::Eq>));
  m.impl("ne.Tensor", GB_FN(binary_cuda<BinaryOp::Ne>));
  m.impl("ne_.Tensor", GB_FN(binary_inplace_cuda<BinaryOp::Ne>));
  m.impl("lt.Tensor", GB_FN(binary_cuda<BinaryOp::Lt>));
  m.impl("lt_.Tensor", GB_FN(binary_inplace_cuda<BinaryOp::Lt>));
  m.impl("le.Tensor", GB_FN(binary_cuda<BinaryOp::Le>));
  m.impl("le_.Tensor", GB_FN(binary_inplace_cuda<BinaryOp::Le>));
  m.impl("gt.Tensor", GB_FN(binary_cuda<BinaryOp::Gt>));
  m.impl("gt_.Tensor", GB_FN(binary_inplace_cuda<BinaryOp::Gt>));
  m.impl("ge.Tensor", GB_FN(binary_cuda<BinaryOp::Ge>));
  m.impl("ge_.Tensor", GB_FN(binary_inplace_cuda<BinaryOp::Ge>));
}

}  // namespace gb
