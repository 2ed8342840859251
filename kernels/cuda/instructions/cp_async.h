// cp.async: a thread's copy from global to shared memory that goes on while the thread computes (Ampere and later).
//
//   cp_async<16>(to, from, bytes)  asks for 16 bytes (or 4, or 8), of which the first `bytes` come from memory and the
//                                  rest become zeros: a ragged edge needs no branch. bytes == 0 reads nothing.
//   cp_async_commit()              closes a group: all copies that this thread has asked for since the last commit
//   cp_async_wait<N>()             waits until at most the N youngest groups of this thread are still on their way
//
// `to` and `from` must be multiples of the size. A thread waits for its own copies only; those of others need their
// wait and then a barrier. From the request to the wait `to` holds nothing of use: the host build fills it with NaN at
// once and lets the copy land in the wait, as late as a GPU may. So both a wait that is missing and a request that
// comes while others still read the place show in the result, or to the thread sanitizer.
#pragma once

#include <cstdint>

#include "kernels/cuda/launch.h"
#ifndef __CUDACC__
#include <vector>
#endif

namespace gb::cuda {

#ifdef __CUDACC__

template <int kBytes>
__device__ __forceinline__ void cp_async(void* to, const void* from, int bytes = kBytes) {
  static_assert(kBytes == 4 || kBytes == 8 || kBytes == 16);
  const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (kBytes == 16)  // .cg: past the L1 cache; only 16 bytes may
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(place), "l"(from), "r"(bytes));
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(place), "l"(from), "n"(kBytes), "r"(bytes));
}
__device__ __forceinline__ void cp_async_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int kYoungest>
__device__ __forceinline__ void cp_async_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kYoungest) : "memory");
}

#else

// The copies that a thread has asked for and not yet waited for, the oldest first.
struct PendingCopies {
  struct Copy {
    void* to;
    int bytes;
    int64_t group;
    alignas(16) unsigned char value[16];
  };
  std::vector<Copy> waiting;
  int64_t group = 0;  // the open one; a commit opens the next
};
PendingCopies& pending_copies();  // of the thread that runs

// 4, 8 or 16 bytes that are read and written in one piece, at a multiple of their size.
template <int kBytes>
struct alignas(kBytes) Piece {
  unsigned words[kBytes / 4];
};

template <int kBytes>
void cp_async(void* to, const void* from, int bytes = kBytes) {
  PendingCopies& copies = pending_copies();
  PendingCopies::Copy copy = {to, kBytes, copies.group, {}};
  if (bytes == kBytes)
    *reinterpret_cast<Piece<kBytes>*>(copy.value) = *static_cast<const Piece<kBytes>*>(from);
  else
    for (int i = 0; i < bytes; ++i) copy.value[i] = static_cast<const unsigned char*>(from)[i];
  Piece<kBytes> nothing;
  for (unsigned& word : nothing.words) word = 0xffffffffu;  // NaN
  *static_cast<Piece<kBytes>*>(to) = nothing;
  copies.waiting.push_back(copy);
}
inline void cp_async_commit() { ++pending_copies().group; }
template <int kYoungest>
void cp_async_wait() {
  PendingCopies& copies = pending_copies();
  size_t landed = 0;
  for (; landed < copies.waiting.size(); ++landed) {
    const PendingCopies::Copy& copy = copies.waiting[landed];
    if (copy.group >= copies.group - kYoungest) break;
    if (copy.bytes == 16)
      *static_cast<Piece<16>*>(copy.to) = *reinterpret_cast<const Piece<16>*>(copy.value);
    else if (copy.bytes == 8)
      *static_cast<Piece<8>*>(copy.to) = *reinterpret_cast<const Piece<8>*>(copy.value);
    else
      *static_cast<Piece<4>*>(copy.to) = *reinterpret_cast<const Piece<4>*>(copy.value);
  }
  copies.waiting.erase(copies.waiting.begin(), copies.waiting.begin() + static_cast<std::ptrdiff_t>(landed));
}

#endif

}  // namespace gb::cuda
