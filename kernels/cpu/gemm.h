// gemm: C = beta * C + alpha * A B, one thread.
//
// A is [m, k], B [k, n], C [m, n], each with its own row and column stride in elements, so that transposed
// views need no copy: op(A) is A with its two strides exchanged. REQUIRES (else ValueError): each matrix has
// a unit stride in one direction, a leading stride of at least the other extent, and C does not overlap A or
// B; the caller copies first what is not so. float and double run through Eigen; Half and BFloat16 are
// computed in float and rounded once at the end; int32 and int64 are plain loops that wrap. bool:
// NotImplementedError, as in PyTorch. beta == 0 never reads C (NaN there does not spread); k == 0 gives beta
// * C. A bias per column (addmm) is this with the bias copied into every row of C and beta = 1.
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/dispatch_stub.h"
#include "kernels/cpu/scalar_arg.h"

namespace gb::cpu {

// One matrix operand: element (i, j) is data[i * row_stride + j * col_stride].
struct ConstMatrix {
  const void* data;
  int64_t row_stride, col_stride;
};
struct Matrix {
  void* data;
  int64_t row_stride, col_stride;
};

// C += alpha * A B for float, double, int32 and int64; C has col_stride 1. false: dtype not supported.
GB_CPU_KERNEL(gemm_accumulate, bool(ScalarType dtype, int64_t m, int64_t n, int64_t k, ScalarArg alpha,
                                    const ConstMatrix& a, const ConstMatrix& b, const Matrix& c));

// May `matrix` of rows x cols be handed to gemm as it is?
constexpr bool gemm_accepts(int64_t rows, int64_t cols, int64_t row_stride, int64_t col_stride) {
  return (cols <= 1 || col_stride == 1) ? (rows <= 1 || row_stride >= cols)
                                        : ((rows <= 1 || row_stride == 1) && col_stride >= rows);
}

void gemm(ScalarType dtype, int64_t m, int64_t n, int64_t k, ScalarArg alpha, ConstMatrix a, ConstMatrix b,
          ScalarArg beta, Matrix c);

}  // namespace gb::cpu
