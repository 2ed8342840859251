// The SIMT runner: what a .cu file sees in a host build in place of CUDA.
//
// Every CUDA thread is a fibre (a small stack that can be left and resumed) on one OS thread. A fibre runs
// until it returns, waits at a barrier, or posts a warp operation; then the next one runs. So threadIdx is a
// plain variable, gdb shows it with `p threadIdx`, and `next` over __syncthreads() stays in the same CUDA
// thread. Blocks run one after another, which is why `__shared__` can be `static`.
//
// Checked, with the kernel, the line and the threads on each side: two different barriers in one block, a
// barrier that an early return never reaches, a warp operation that not all lanes of its mask reach, a lane
// outside its own mask, a value read from a lane that posted none. README.md says what the sanitizers find
// beyond that. Not checked: spinning on another thread (it hangs), reconvergence.
#pragma once

#include "kernels/cuda/qualifiers.h"
#include "kernels/cuda/simt/atomics.h"
#include "kernels/cuda/simt/intrinsics.h"
#include "kernels/cuda/simt/runner.h"
#include "kernels/cuda/simt/types.h"

#define __global__
#define __forceinline__ inline __attribute__((always_inline))
#define __shared__ static
#define __launch_bounds__(...)
#define __grid_constant__

// Written by the runner before a fibre is resumed.
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
inline constexpr int warpSize = 32;

// The place of a call, as default arguments: kernels need no macro for it.
#define GB_SIMT_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

inline void __syncthreads(GB_SIMT_SITE) { gb::simt::wait_at_barrier({file, line}); }

#include "kernels/cuda/simt/warp.h"
