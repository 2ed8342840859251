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

// Runs the rung that gb::backends::cuda::set_softmax_rung or GB_SOFTMAX_RUNG names (kernels/cuda/backends.h), or
// where it cannot take the call (a row too long for its registers, a dtype it lacks, rows of input and output that lie
// differently in memory) the next one below that can. Without a choice: the best for the shape.
void softmax(const SoftmaxArgs& args);
void softmax_backward(const SoftmaxBackwardArgs& args);

struct SoftmaxRung {
  const char* name;  // what GB_SOFTMAX_RUNG says
  const char* file;  // where to read it
  void (*forward)(const SoftmaxArgs&);            // rows and cols are not 0
  void (*backward)(const SoftmaxBackwardArgs&);
  bool (*takes_forward)(const SoftmaxArgs&);
  bool (*takes_backward)(const SoftmaxBackwardArgs&);
  bool host_runner;  // true: also runs on the host, under kernels/cuda/simt
};

Ladder<SoftmaxRung> softmax_rungs();  // lowest first, numbered from 1; the lowest takes everything

// The number of the rung that softmax(args) runs.
size_t softmax_rung_for(const SoftmaxArgs& args);
size_t softmax_rung_for(const SoftmaxBackwardArgs& args);

}  // namespace gb::cuda
