// The CUDA kernels.
#include "dispatcher/library.h"
#include "ops/common/cuda_kernels.h"

namespace gb {

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("neg", GB_FN(unary_cuda<UnaryOp::Neg>));
  m.impl("neg_", GB_FN(unary_inplace_cuda<UnaryOp::Neg>));
  m.impl("exp", GB_FN(unary_cuda<UnaryOp::Exp>));
  m.impl("exp_", GB_FN(unary_inplace_cuda<UnaryOp::Exp>));
  m.impl("log", GB_FN(unary_cuda<UnaryOp::Log>));
  m.impl("log_", GB_FN(unary_inplace_cuda<UnaryOp::Log>));
  m.impl("sqrt", GB_FN(unary_cuda<UnaryOp::Sqrt>));
  m.impl("sqrt_", GB_FN(unary_inplace_cuda<UnaryOp::Sqrt>));
  m.impl("rsqrt", GB_FN(unary_cuda<UnaryOp::Rsqrt>));
  m.impl("rsqrt_", GB_FN(unary_inplace_cuda<UnaryOp::Rsqrt>));
  m.impl("reciprocal", GB_FN(unary_cuda<UnaryOp::Reciprocal>));
  m.impl("reciprocal_", GB_FN(unary_inplace_cuda<UnaryOp::Reciprocal>));
  m.impl("abs", GB_FN(unary_cuda<UnaryOp::Abs>));
  m.impl("abs_", GB_FN(unary_inplace_cuda<UnaryOp::Abs>));
  m.impl("sign", GB_FN(unary_cuda<UnaryOp::Sign>));
  m.impl("sign_", GB_FN(unary_inplace_cuda<UnaryOp::Sign>));
  m.impl("floor", GB_FN(unary_cuda<UnaryOp::Floor>));
  m.impl("floor_", GB_FN(unary_inplace_cuda<UnaryOp::Floor>));
  m.impl("sin", GB_FN(unary_cuda<UnaryOp::Sin>));
  m.impl("sin_", GB_FN(unary_inplace_cuda<UnaryOp::Sin>));
  m.impl("cos", GB_FN(unary_cuda<UnaryOp::Cos>));
  m.impl("cos_", GB_FN(unary_inplace_cuda<UnaryOp::Cos>));
}

}  // namespace gb
