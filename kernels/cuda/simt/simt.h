// The SIMT runner: what a .cu file sees in a host build in place of CUDA.
//
// Every CUDA thread is a fibre (a small stack that can be left and resumed) on one OS thread. A fibre runs
// until it returns, waits at a barrier, or posts a warp operation; then the next one runs. So threadIdx is a
// plain variable, gdb shows it with `p threadIdx`, and `next` over __syncthreads() stays in the same CUDA
// thread. Blocks run one after another, which is why `__shared__` can be `static`.
//
// Checked, with the kernel, the line and the threads on each side: two different barriers in one block, a
// barrier that an early return never reaches, a warp operation that not all lanes of its mask reach, a lane
// outside its own mask, a value read from a lane that posted none. Not checked: spinning on another thread
// (it hangs), reconvergence. The place of an operation comes from __builtin_FILE/LINE as default arguments,
// so kernels need no macro for it.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/cuda/qualifiers.h"
#include "kernels/cuda/simt/runner.h"
#include "kernels/cuda/simt/types.h"

#define __global__
#define __forceinline__ inline __attribute__((always_inline))
#define __shared__ static
#define __launch_bounds__(...)

// Written by the runner before a fibre is resumed.
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
inline constexpr int warpSize = 32;

#define GB_SIMT_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

inline void __syncthreads(GB_SIMT_SITE) { gb::simt::wait_at_barrier({file, line}); }
inline void __syncwarp(unsigned mask = 0xffffffffu, GB_SIMT_SITE) {
  gb::simt::warp_operation({gb::simt::WarpOp::Sync, mask, 0, 0, 32, {file, line}});
}

namespace gb::simt {
// Values travel between lanes as 8 bytes.
template <class T>
T shuffle(WarpOp op, unsigned mask, T value, int operand, int width, Site site) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>, "a shuffle moves 4 or 8 bytes");
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof(T));
  bits = warp_operation({op, mask, bits, operand, width, site});
  memcpy(&value, &bits, sizeof(T));
  return value;
}
}  // namespace gb::simt

template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = 32, GB_SIMT_SITE) {
  return gb::simt::shuffle(gb::simt::WarpOp::Shuffle, mask, value, lane, width, {file, line});
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, GB_SIMT_SITE) {
  return gb::simt::shuffle(gb::simt::WarpOp::ShuffleXor, mask, value, lane_mask, width, {file, line});
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, GB_SIMT_SITE) {
  return gb::simt::shuffle(gb::simt::WarpOp::ShuffleDown, mask, value, static_cast<int>(delta), width,
                           {file, line});
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, GB_SIMT_SITE) {
  return gb::simt::shuffle(gb::simt::WarpOp::ShuffleUp, mask, value, static_cast<int>(delta), width,
                           {file, line});
}
inline unsigned __ballot_sync(unsigned mask, int predicate, GB_SIMT_SITE) {
  return static_cast<unsigned>(gb::simt::warp_operation(
      {gb::simt::WarpOp::Ballot, mask, static_cast<uint64_t>(predicate != 0), 0, 32, {file, line}}));
}
inline int __any_sync(unsigned mask, int predicate, GB_SIMT_SITE) {
  return __ballot_sync(mask, predicate, file, line) != 0;
}
inline int __all_sync(unsigned mask, int predicate, GB_SIMT_SITE) {
  return __ballot_sync(mask, !predicate, file, line) == 0;
}

// One OS thread, and no switch inside: a plain read and write is atomic here. Returns the old value.
template <class T>
T atomicAdd(T* address, std::type_identity_t<T> value) {
  T old = *address;
  *address = old + value;
  return old;
}
template <class T>
T atomicMax(T* address, std::type_identity_t<T> value) {
  T old = *address;
  if (old < value) *address = value;
  return old;
}
