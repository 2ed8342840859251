// What a thread of rungs 6 to 8 does with a tile in shared memory: it takes its lines in groups of four neighbours, 16
// bytes at a load, multiplies each of a's with each of b's, and stores the sums.
#pragma once

#include "kernels/cuda/linear/product.h"

namespace gb::cuda {

// Element p of a thread's lines: kGroups groups of four lines each, the groups `apart` lines from one another.
template <int kGroups>
struct Fragment {
  float value[4 * kGroups];

  // from: element p of the thread's first line, at a multiple of 16 bytes
  __device__ void load(const float* from, int apart) {
#pragma unroll
    for (int h = 0; h < kGroups; ++h) {
      const float4 four = *reinterpret_cast<const float4*>(from + h * apart);
      value[4 * h] = four.x, value[4 * h + 1] = four.y, value[4 * h + 2] = four.z, value[4 * h + 3] = four.w;
    }
  }
};

// Column after column, down and up in turns, so that each product shares a factor with the one before it: the register
// file delivers two operands per cycle, and an FFMA with three new ones would take two.
template <int kA, int kB>
__device__ void add_outer_product(float (&sum)[4 * kA][4 * kB], const Fragment<kA>& a, const Fragment<kB>& b) {
#pragma unroll
  for (int c = 0; c < 4 * kB; ++c)
#pragma unroll
    for (int i = 0; i < 4 * kA; ++i) {
      const int r = c % 2 == 0 ? i : 4 * kA - 1 - i;
      sum[r][c] += a.value[r] * b.value[c];
    }
}

// Group h of the rows begins at row i + h * apart_i, group h of the columns at column j + h * apart_j.
template <int kA, int kB, class Output>
__device__ void store_thread_tile(const float (&sum)[4 * kA][4 * kB], const Output& output, int64_t l, int64_t i,
                                  int apart_i, int64_t j, int apart_j) {
#pragma unroll
  for (int r = 0; r < 4 * kA; ++r)
#pragma unroll
    for (int c = 0; c < kB; ++c)
      output.template store_neighbours<4>(&sum[r][4 * c], l, i + r / 4 * apart_i + r % 4, j + c * apart_j);
}

}  // namespace gb::cuda
