// The CUDA kernels.
#include "dispatcher/library.h"
#include "ops/common/cuda_kernels.h"

namespace gb {

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("pow.Tensor_Tensor", GB_FN(binary_cuda<BinaryOp::Pow>));
  m.impl("pow_.Tensor", GB_FN(binary_inplace_cuda<BinaryOp::Pow>));
}

}  // namespace gb
