// MaxSum: what "online" softmax knows of some of a row's elements, and how two such parts become one.
#pragma once

#include "kernels/cuda/softmax/formula.h"
#include "kernels/cuda/softmax/rows.h"
#include "kernels/cuda/softmax/share.h"

namespace gb::cuda {

template <class C>
struct MaxSum {
  C max;  // the largest element
  C sum;  // of e^(x - max); 0 where max is -inf
};

// What may be subtracted: the maximum, but 0 for a part that holds nothing but -inf (-inf minus -inf is NaN).
template <class C>
__device__ C base_of(C max) {
  return max == static_cast<C>(-INFINITY) ? C(0) : max;
}

// Of the 32 parts that a warp's lanes have, in each lane.
// [anchor: move]
template <class F, class C>
__device__ MaxSum<C> combine_lanes(MaxSum<C> part) {
  const C max = across_lanes<32>(part.max, Larger());
  return {max, across_lanes<32>(part.sum * F::move(part.max, base_of(max)), Plus())};
}
// Of `count` parts, at most 32, in each lane. of: [count], shared
template <class F, class C>
__device__ MaxSum<C> combine(const MaxSum<C>* of, unsigned count) {
  const unsigned lane = threadIdx.x % 32;
  return combine_lanes<F>(lane < count ? of[lane] : MaxSum<C>{static_cast<C>(-INFINITY), C(0)});
}

// Of the whole block, in each thread, from what each of its warps has. of_warp: [32], shared. One barrier.
template <class F, class C>
__device__ MaxSum<C> combine_warps(MaxSum<C> warps_part, MaxSum<C>* of_warp) {
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = warps_part;
  __syncthreads();
  return combine<F>(of_warp, blockDim.x / 32);
}

// Of the elements that a warp's lanes hold in registers, in each lane.
template <class F, class T, int kVectors, class C = compute_t<T>>
__device__ MaxSum<C> max_sum_of_warp(Share<T, kVectors>& share, bool whole) {
  const C max = across_lanes<32>(largest(share, whole), Larger());
  const C sum = sum_of(share, whole, [&](C value) { return F::of(value, base_of(max)); });
  return {max, across_lanes<32>(sum, Plus())};
}

}  // namespace gb::cuda
