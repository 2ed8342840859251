// The CUDA kernels.
#include "dispatcher/library.h"
#include "ops/common/cuda_kernels.h"

namespace gb {
namespace {

template <BinaryOp op>
Tensor compare_cuda(const Tensor& self, const Tensor& other) {
  return binary_op(op, self, other, 1, &binary_kernel_cuda);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("eq.Tensor", GB_FN(compare_cuda<BinaryOp::Eq>));
  m.impl("ne.Tensor", GB_FN(compare_cuda<BinaryOp::Ne>));
  m.impl("lt.Tensor", GB_FN(compare_cuda<BinaryOp::Lt>));
  m.impl("le.Tensor", GB_FN(compare_cuda<BinaryOp::Le>));
  m.impl("gt.Tensor", GB_FN(compare_cuda<BinaryOp::Gt>));
  m.impl("ge.Tensor", GB_FN(compare_cuda<BinaryOp::Ge>));
}

}  // namespace gb
