// Work along one dimension: the place of an extremum, running sums, the k largest. The CUDA counterparts of
// kernels/cpu/{arg_reduce,cumsum}.h and of topk, with the same spaces.
//
// A line has n elements, `stride` apart; `others` (kernels/cpu/lines.h) walks the lines, with the strides of the
// outputs (operand 0, which are laid out alike) and of the input (operand 1). A block takes a line.
#pragma once

#include "kernels/cpu/arg_reduce.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

using cpu::Extremum;
using cpu::Strided;

// values: of `dtype`, or null where nobody asks for them. Of equal elements the first counts; the first NaN beats
// all numbers. n >= 1; all seven dtypes.
void arg_reduce(Extremum which, ScalarType dtype, void* values, int64_t* positions, const void* in, int64_t n,
                int64_t stride, const Strided<2>& others, StreamHandle stream);

// The sums of each element and those before it. Floating dtypes and int64: Half, BFloat16 and floats are gathered
// in double; integers wrap.
void cumsum(ScalarType dtype, void* out, const void* in, int64_t n, int64_t out_stride, int64_t in_stride,
            const Strided<2>& others, StreamHandle stream);

// positions [k], out_stride apart: where the k largest (or least) are, in order. Of equal elements the first comes
// first; NaN is above all numbers. k rounds over the line, one per result: meant for a k of some dozens.
void topk(ScalarType dtype, int64_t* positions, const void* in, int64_t n, int64_t k, int64_t out_stride,
          int64_t in_stride, bool largest, const Strided<2>& others, StreamHandle stream);

}  // namespace gb::cuda
