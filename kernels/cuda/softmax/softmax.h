// Softmax and log_softmax over the rows of a matrix, forward and backward: the entry points, and the ladder of
// kernels behind them (README.md).
//
//   softmax:      out = exp(in - max_r) / sum_r           sum_r = sum over the row of exp(in - max_r)
//                 grad_input = output * (grad - sum over the row of grad * output)
//   log_softmax:  out = in - max_r - log(sum_r)
//                 grad_input = grad - exp(output) * sum over the row of grad
//
// Dtypes: Float, Double, Half, BFloat16 (else NotImplementedError); Half and BFloat16 are computed in float and
// rounded once, at the store. A result may be the memory of an input that has the same strides. rows or cols
// of 0 launch nothing. A row that holds a NaN or a +inf, or -inf only, gives NaN, as in PyTorch.
#pragma once

#include <cstdint>

#include "core/scalar_type.h"
#include "kernels/cuda/ladder.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

struct SoftmaxArgs {
  ScalarType dtype;
  bool log;             // log_softmax
  void* out;            // [rows, cols], contiguous
  const void* in;       // [rows, cols], a row's elements side by side
  int64_t rows, cols;
  int64_t in_stride;    // from one row of `in` to the next, in elements
  StreamHandle stream;
};

struct SoftmaxBackwardArgs {
  ScalarType dtype;
  bool log;
  void* grad_input;    // [rows, cols], contiguous
  const void* grad;    // [rows, cols], of the output
  const void* output;  // [rows, cols], what forward gave, contiguous
  int64_t rows, cols;
  int64_t grad_stride;  // from one row of `grad` to the next, in elements
  StreamHandle stream;
};

// Runs the rung that GB_SOFTMAX_RUNG or set_softmax_rung names, without one the best for the shape. Where that
// rung cannot take the shape (a row too long for its registers, a dtype it lacks), the next one below that can.
void softmax(const SoftmaxArgs& args);
void softmax_backward(const SoftmaxBackwardArgs& args);

struct SoftmaxRung {
  const char* name;  // what GB_SOFTMAX_RUNG says
  const char* file;  // where to read it
  void (*forward)(const SoftmaxArgs&);
  void (*backward)(const SoftmaxBackwardArgs&);
  // Can the rung take rows of `cols` elements of `dtype` on this device?
  bool (*takes_forward)(ScalarType dtype, int64_t cols);
  bool (*takes_backward)(ScalarType dtype, int64_t cols);
  bool host_runner;  // true: also runs on the host, under kernels/cuda/simt
};

Ladder<SoftmaxRung> softmax_rungs();  // lowest first; the lowest takes everything

// The index of the rung that is fastest for such rows, as measured on an H200 (bench/results/cuda.md).
size_t best_softmax_rung(ScalarType dtype, int64_t cols);
size_t best_softmax_backward_rung(ScalarType dtype, int64_t cols);

}  // namespace gb::cuda
