// wgmma: the product of tiles that a *warpgroup*, four warps, starts and the tensor cores make by themselves.
//
//   d[64, N] = a[64, K] b[K, N]  (+ d)      K: 16 of Half or BFloat16, 8 of TF32; N: 8, 16, ..., 256
//
// d is spread over the registers of the 128 threads (wgmma_row, wgmma_column); b comes from shared memory, and a
// from there or from registers. A tile in shared memory is given by a *descriptor*: address, two distances,
// swizzle. How the tile lies there, by the dimension along which it is contiguous (Major), with a swizzle whose
// rows are W bytes:
//   K   rows of m (or n), W bytes of k each, W apart; eight of them, the next eight `stride` bytes on. The 32 bytes
//   of k
//       that one product takes begin anywhere in a row: to go on along k, add their offset to the address.
//   MN  rows of k, W bytes of m (or n) each, W apart; eight of them, the next eight `stride` bytes on; the next W
//   bytes
//       of m (or n) `leading` bytes on. Not for TF32.
// Bytes lie at swizzled() addresses (swizzle.h), as a box of the copy engine does; eight rows begin at a multiple
// of their length, 1024 bytes with W = 128.
//
// All 128 threads: wgmma_fence() before the first product, and after touching d or a's registers; then products;
// wgmma_commit() closes a group of them; wgmma_wait<n>() returns when all groups but the latest n are done. Before
// that d holds nothing, a's registers and both tiles must stay. Who reads d after a wait names it, wgmma_wait<n>(d): to
// the compiler its registers were written when the product was started. The host meaning is in wgmma_host.cc.
#pragma once

#include <cstdint>

#include "kernels/cuda/element.h"
#include "kernels/cuda/instructions/shared_address.h"
#include "kernels/cuda/instructions/swizzle.h"

namespace gb::cuda {

struct Tf32 {  // a float of which the last 13 bits are not looked at
  float value;
};

enum class Major : int { K = 0, MN = 1 };

template <class T>
inline constexpr int kWgmmaK = 32 / static_cast<int>(sizeof(T));  // always 32 bytes of k

// The place in d of the running thread's element i of N / 2; warpgroups begin at multiples of 128 threads of x.
__device__ inline int wgmma_row(int i) {
  const int thread = static_cast<int>(threadIdx.x % 128);
  return thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
}
__device__ inline int wgmma_column(int i) { return i / 4 * 8 + static_cast<int>(threadIdx.x % 4) * 2 + i % 2; }

// address, leading and stride in units of 16 bytes; bits 62 and 63: the swizzle. Bits 49 to 51 stay 0: eight rows
// begin at a multiple of their length.
__device__ inline uint64_t wgmma_descriptor(const void* tile, Swizzle swizzle, uint32_t leading_bytes,
                                            uint32_t stride_bytes) {
  return (uint64_t{shared_address(tile)} & 0x3ffff) >> 4 | (uint64_t{leading_bytes} & 0x3ffff) >> 4 << 16 |
         (uint64_t{stride_bytes} & 0x3ffff) >> 4 << 32 | uint64_t{static_cast<uint32_t>(swizzle)} << 62;
}
// The descriptor of what lies `bytes`, a multiple of 16, further on.
__host__ __device__ constexpr uint64_t advance(uint64_t descriptor, uint32_t bytes) {
  return descriptor + (bytes >> 4);
}

}  // namespace gb::cuda

#ifdef __CUDACC__
#include "kernels/cuda/instructions/wgmma_instructions.h"  // written by wgmma_instructions.py: one asm for each N
#endif

namespace gb::cuda {

#ifdef __CUDACC__

__device__ inline void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int n>
__device__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory");
}
// And d is read after it: no instructions, but the compiler may not move a read of d to before them.
template <int n, int kCount>
__device__ void wgmma_wait(float (&d)[kCount]) {
  wgmma_wait<n>();
#pragma unroll
  for (int i = 0; i < kCount; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

// T: Half, BFloat16 or Tf32. accumulate: add to d, else d is only written.
template <int N, class T, Major kA = Major::K, Major kB = Major::K>
__device__ void wgmma(float (&d)[N / 2], uint64_t a, uint64_t b, bool accumulate) {
  WgmmaInstruction<T, N>::template shared<static_cast<int>(kA), static_cast<int>(kB)>(d, a, b, accumulate);
}
// a in registers: in 32 bits two elements of k side by side, or one Tf32; a[i] is in row wgmma_row(2 * (i % 2)), at
// k = 2 * (lane % 4) + i / 2 * 8, of Tf32 at lane % 4 + i / 2 * 4.
template <int N, class T, Major kB = Major::K>
__device__ void wgmma(float (&d)[N / 2], const uint32_t (&a)[4], uint64_t b, bool accumulate) {
  WgmmaInstruction<T, N>::template registers<static_cast<int>(kB)>(d, a, b, accumulate);
}

#else

void wgmma_fence();
void wgmma_commit();
void wgmma_wait_for_all_but(int groups, const char* file, int line);
template <int n>
void wgmma_wait(GB_SIMT_SITE) {
  wgmma_wait_for_all_but(n, file, line);
}
template <int n, int kCount>
void wgmma_wait(float (&)[kCount], GB_SIMT_SITE) {
  wgmma_wait_for_all_but(n, file, line);
}

// What one thread says as it starts a product.
struct WgmmaCall {
  int n;
  ScalarType dtype;  // Float: TF32
  bool a_in_registers;
  uint32_t a_registers[4];
  uint64_t a, b;  // descriptors
  Major a_major, b_major;
  bool accumulate;
  float* d;  // [n / 2]
};
void start_wgmma(const WgmmaCall& call, simt::Site site);

template <class T>
inline constexpr ScalarType kWgmmaDtype = kFloat;
template <>
inline constexpr ScalarType kWgmmaDtype<Half> = kHalf;
template <>
inline constexpr ScalarType kWgmmaDtype<BFloat16> = kBFloat16;

template <int N, class T, Major kA = Major::K, Major kB = Major::K>
void wgmma(float (&d)[N / 2], uint64_t a, uint64_t b, bool accumulate, GB_SIMT_SITE) {
  static_assert(sizeof(T) == 2 || (kA == Major::K && kB == Major::K), "TF32 tiles are contiguous along k");
  start_wgmma({N, kWgmmaDtype<T>, false, {}, a, b, kA, kB, accumulate, d}, {file, line});
}
template <int N, class T, Major kB = Major::K>
void wgmma(float (&d)[N / 2], const uint32_t (&a)[4], uint64_t b, bool accumulate, GB_SIMT_SITE) {
  static_assert(sizeof(T) == 2 || kB == Major::K, "TF32 tiles are contiguous along k");
  start_wgmma({N, kWgmmaDtype<T>, true, {a[0], a[1], a[2], a[3]}, 0, b, Major::K, kB, accumulate, d}, {file, line});
}

#endif

}  // namespace gb::cuda
