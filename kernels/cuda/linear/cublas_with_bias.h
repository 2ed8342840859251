// A product with a bias added as it is stored: cublasLt's epilogue. Without it the bias has to be copied into every row
// of the result first, and read back: two more passes over the largest matrix of a Linear.
#pragma once

#include "kernels/cuda/linear/cublas_operand.h"
#include "kernels/cuda/linear/gemm.h"

namespace gb::cuda::cublas {

// d = alpha a b + c for one row c for all, else false and nothing done: another c, a batch, float64, or shapes that
// cublasLt has no algorithm for. d is row-major with leading dimension ldd.
bool gemm_with_bias(const GemmArgs& args, const Operand& a, const Operand& b, int64_t ldd, StreamHandle stream);

}  // namespace gb::cuda::cublas
