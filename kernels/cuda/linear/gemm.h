// Matrix product with everything that mm, addmm and linear need, and the ladder of kernels behind it.
//
//   d[i][j] = alpha * sum_p a[i][p] * b[p][j]  +  beta * c[i][j]        i < m, j < n, p < k
//
// and that `batch` times, for matrices a batch_stride apart (0: the same one each time).
//
// Every matrix is a device pointer with two strides in elements, so a transposed view costs nothing:
//   mm(A, B)              a = {A, k, 1}, b = {B, n, 1}, d = {y, n, 1}, no c
//   addmm(bias, x, W.t()) a = {x, k, 1}, b = {W, 1, k}: the transposed view, c = {bias, 0, 1}: one row for
//   all
// With beta == 0 c is not read (so NaN in it does not spread) and its data may be null; c may be d itself,
// with d's strides. k == 0 gives beta * c; m or n of 0 launches nothing. Any strides serve, 0 in a, b and c
// too.
//
// Dtypes: Float, Double, Half, BFloat16 (else NotImplementedError, as in PyTorch), all four matrices alike;
// Half and BFloat16 are summed in float and rounded once. gb::backends::cuda::set_linear_rung or GB_LINEAR_RUNG
// chooses the rung (01_naive, cublas; kernels/cuda/backends.h); without it cuBLAS runs
// where it is there, else the highest hand-written one.
#pragma once

#include <cstdint>

#include "core/scalar_type.h"
#include "kernels/cuda/ladder.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

// Element (i, j) of matrix number l is data[l * batch_stride + i * row_stride + j * col_stride].
struct ConstMatrix {
  const void* data = nullptr;
  int64_t row_stride = 0, col_stride = 0, batch_stride = 0;
};
struct Matrix {
  void* data = nullptr;
  int64_t row_stride = 0, col_stride = 0, batch_stride = 0;
};

struct GemmArgs {
  ScalarType dtype = kFloat;
  int64_t m = 0, n = 0, k = 0, batch = 1;
  double alpha = 1;
  ConstMatrix a;  // [m, k]
  ConstMatrix b;  // [k, n]
  double beta = 0;
  ConstMatrix c;  // [m, n]; read only where beta != 0
  Matrix d;       // [m, n]; written
};

void gemm(const GemmArgs& args, StreamHandle stream);

// y = x W^T + bias with x [rows, in], W [out, in], bias [out] or nullptr, y [rows, out], all contiguous: the
// LM head as one call, through the same ladder.
void linear(ScalarType dtype, void* y, const void* x, const void* weight, const void* bias, int64_t rows,
            int64_t in_features, int64_t out_features, StreamHandle stream);

struct GemmRung {
  const char* name;  // what GB_LINEAR_RUNG says
  const char* file;  // where to read it
  decltype(&gemm) run;
  bool host_runner;  // true: also runs on the host, under kernels/cuda/simt
};

Ladder<GemmRung> linear_rungs();  // lowest first; cublas, which is not ours, last

}  // namespace gb::cuda
