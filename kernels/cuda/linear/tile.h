// A tile of an operand in shared memory, element by element: what rungs 3 to 5 load, from any strides.
#pragma once

#include "kernels/cuda/linear/product.h"

namespace gb::cuda {

// Brings elements p0 .. p0 + kDepth - 1 of lines first .. first + kLines - 1 of matrix l into tile[p][line], as numbers
// to compute with; 0 where there are none. Neighbouring threads take neighbouring addresses, whichever way the operand
// lies. The one column more than kLines puts elements of one line into different banks of shared memory, where threads
// that run along k would else write to one.
template <int kThreads, int kLines, int kDepth, class T>
__device__ void load_tile(compute_t<T> (&tile)[kDepth][kLines + 1], const Lines<T>& x, int64_t l, int64_t first,
                          int64_t p0, int64_t k) {
  static_assert(kLines * kDepth % kThreads == 0);
  const T* from = x.line(l, first) + p0 * x.step;
  const bool along_k = x.step == 1;
#pragma unroll
  for (int e = static_cast<int>(threadIdx.x); e < kLines * kDepth; e += kThreads) {
    const int p = along_k ? e % kDepth : e / kLines, line = along_k ? e / kDepth : e % kLines;
    const bool inside = first + line < x.count && p0 + p < k;
    tile[p][line] = inside ? static_cast<compute_t<T>>(from[line * x.line_stride + p * x.step]) : 0;
  }
}

}  // namespace gb::cuda
