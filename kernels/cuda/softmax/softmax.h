// Softmax over the last dimension of a contiguous [rows, cols] matrix, forward and backward: the entry
// points, and the ladder of kernels behind them.
//
//   out[r][c]        = exp(in[r][c] - max_r) / sum_c exp(in[r][c] - max_r)
//   grad_input[r][c] = output[r][c] * (grad[r][c] - sum_c grad[r][c] * output[r][c])
//
// Dtypes: Float, Double, Half, BFloat16 (else NotImplementedError); Half and BFloat16 are computed in float
// and rounded once, at the store. Pointers are device pointers to rows * cols elements; an output may be the
// memory of an input. rows or cols of 0 launches nothing. A row that holds a NaN or a +inf, or -inf only,
// gives NaN, as in PyTorch. gb::backends::cuda::set_softmax_rung or GB_SOFTMAX_RUNG chooses the rung
// (kernels/cuda/backends.h); without it the best for the shape runs.
#pragma once

#include <cstdint>

#include "core/scalar_type.h"
#include "kernels/cuda/ladder.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

void softmax(ScalarType dtype, void* out, const void* in, int64_t rows, int64_t cols, StreamHandle stream);

void softmax_backward(ScalarType dtype, void* grad_input, const void* grad, const void* output, int64_t rows,
                      int64_t cols, StreamHandle stream);

struct SoftmaxRung {
  const char* name;  // what GB_SOFTMAX_RUNG says
  const char* file;  // where to read it
  decltype(&softmax) forward;
  decltype(&softmax_backward) backward;
  bool host_runner;  // true: also runs on the host, under kernels/cuda/simt
};

Ladder<SoftmaxRung> softmax_rungs();  // lowest first

}  // namespace gb::cuda
