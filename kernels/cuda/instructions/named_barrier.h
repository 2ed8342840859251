// A barrier of some warps of a block: number 1 to 15 (0 is __syncthreads), for `threads`, a multiple of 32, that
// come to it. So the warpgroups that multiply can meet while the one that copies goes on.
#pragma once

#include "kernels/cuda/launch.h"
#ifndef __CUDACC__
#include "kernels/cuda/simt/asynchronous.h"
#endif

namespace gb::cuda {

#ifdef __CUDACC__
__device__ inline void named_barrier(int number, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
#else
void named_barrier(int number, int threads, GB_SIMT_SITE);
#endif

}  // namespace gb::cuda
