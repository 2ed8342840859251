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
// The store can apply an activation: d = activation(alpha a b + beta c), the epilogue of a layer.
//
// Dtypes: Float, Double, Half, BFloat16 (else NotImplementedError, as in PyTorch), all four matrices alike;
// Half and BFloat16 are summed in float and rounded once. Float is multiplied as float, unless allow_tf32
// says that its factors may be rounded to TF32 (10 bits of fraction; the sums stay float).
// gb::backends::cuda::set_linear_rung or GB_LINEAR_RUNG chooses the rung (kernels/cuda/backends.h); one that cannot
// take the call (strides, dtype, alignment) leaves it to the next below that can. Without a choice cuBLAS runs
// where it is there, unless rung 13 is as fast (gemm.cc), else the best of ours.
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

// Applied to alpha a b + beta c as it is stored.
enum class Activation : uint8_t {
  None,
  Relu,  // max(0, x)
  Gelu,  // 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))): GELU's tanh form, as cublasLt's epilogue has it
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
  Activation activation = Activation::None;
  bool allow_tf32 = false;  // Float only
};

void gemm(const GemmArgs& args, StreamHandle stream);

// y = x W^T + bias with x [rows, in], W [out, in], bias [out] or nullptr, y [rows, out], all contiguous: the
// LM head as one call, through the same ladder.
void linear(ScalarType dtype, void* y, const void* x, const void* weight, const void* bias, int64_t rows,
            int64_t in_features, int64_t out_features, StreamHandle stream);

struct GemmRung {
  const char* name;  // what GB_LINEAR_RUNG says
  const char* file;  // where to read it
  decltype(&gemm) run;                  // batch, m and n are not 0; what takes() refuses is undefined
  bool (*takes)(const GemmArgs&);
  bool host_runner;  // true: also runs on the host, under kernels/cuda/simt
};

Ladder<GemmRung> linear_rungs();  // lowest first, numbered from 1; the lowest takes everything; cublas, which is not
                                  // ours, last

size_t linear_rung_for(const GemmArgs& args);  // the number of the rung that gemm(args) runs

}  // namespace gb::cuda
