// The CUDA kernels.
#include "dispatcher/library.h"
#include "ops/common/cuda_kernels.h"

namespace gb {
namespace {

Tensor neg_cuda(const Tensor& self) { return unary_op(UnaryOp::Neg, self, &unary_kernel_cuda); }
Tensor exp_cuda(const Tensor& self) { return unary_op(UnaryOp::Exp, self, &unary_kernel_cuda); }
Tensor log_cuda(const Tensor& self) { return unary_op(UnaryOp::Log, self, &unary_kernel_cuda); }

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("neg", GB_FN(neg_cuda));
  m.impl("exp", GB_FN(exp_cuda));
  m.impl("log", GB_FN(log_cuda));
}

}  // namespace gb
