// A row-major matrix as cuBLAS, which is column-major, sees it: X^T, to be used as it is or transposed.
#pragma once

#include <optional>

#include "core/scalar_type.h"
#include "kernels/cuda/linear/cublas_library.h"

namespace gb::cuda::cublas {

struct Operand {
  cublasOperation_t op;
  int64_t leading;
};

// None where neither direction has a unit stride.
inline std::optional<Operand> operand(int64_t rows, int64_t cols, int64_t row_stride, int64_t col_stride) {
  const int64_t wide = rows > 1 ? row_stride : cols, tall = cols > 1 ? col_stride : rows;
  if ((cols == 1 || col_stride == 1) && wide >= cols) return Operand{CUBLAS_OP_N, wide};
  if ((rows == 1 || row_stride == 1) && tall >= rows) return Operand{CUBLAS_OP_T, tall};
  return std::nullopt;
}

// Of a floating dtype.
inline cudaDataType type_of(ScalarType dtype) {
  return dtype == kFloat ? CUDA_R_32F : dtype == kDouble ? CUDA_R_64F : dtype == kHalf ? CUDA_R_16F : CUDA_R_16BF;
}

}  // namespace gb::cuda::cublas
