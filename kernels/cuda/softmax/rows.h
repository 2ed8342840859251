// Rows and who works on them: the grid that gives each block a row, and values agreed on by lanes and warps.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/cuda/launch.h"

namespace gb::cuda {

inline constexpr unsigned kAllLanes = 0xffffffffu;

// One block for each of `blocks` rows. A grid has at most 2^31 - 1 blocks in x: more rows go on in y.
inline dim3 grid_of_rows(int64_t blocks) {
  constexpr int64_t kMax = int64_t{1} << 30;
  if (blocks <= kMax) return dim3(static_cast<unsigned>(blocks));
  return dim3(static_cast<unsigned>(kMax), static_cast<unsigned>((blocks + kMax - 1) / kMax));
}
// The number of this block in such a grid; the last line of y may go past the last row.
__device__ inline int64_t block_number() {
  return static_cast<int64_t>(blockIdx.y) * gridDim.x + blockIdx.x;
}

// One instruction. A NaN loses against a number; it comes back in the sum.
struct Larger {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
  __device__ double operator()(double a, double b) const { return fmax(a, b); }
};
struct Plus {
  template <class C>
  __device__ C operator()(C a, C b) const {
    return a + b;
  }
};

// The combination of `value` over kLanes neighbouring lanes (a power of two, at most 32), in each of them: a
// butterfly, after the step with distance 1 each pair agrees, after 2 each four, ...
// [anchor: across-lanes]
template <int kLanes, class C, class Op>
__device__ C across_lanes(C value, Op op) {
  for (int distance = 1; distance < kLanes; distance *= 2)
    value = op(value, __shfl_xor_sync(kAllLanes, value, distance));
  return value;
}

// The combination of `value` over all threads of the block, in each of them. of_warp: 32 values of shared
// memory that nothing else uses in this kernel; blockDim.x is a multiple of 32. One barrier.
template <class C, class Op>
__device__ C across_block(C value, C identity, C* of_warp, Op op) {
  value = across_lanes<32>(value, op);
  if (blockDim.x == 32) return value;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  return across_lanes<32>(lane < blockDim.x / 32 ? of_warp[lane] : identity, op);
}

}  // namespace gb::cuda
