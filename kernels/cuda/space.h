// Space<N>: a strided iteration space as a kernel takes it: by value, without pointers into host memory.
//
// Made from the Strided<N> that the operators build. Element number i counts in row-major order of the sizes;
// at(i) gives each operand's offset in elements. One division per dimension but the outermost, so a
// contiguous space, which Dims<N> has merged into one dimension, costs none. A division of 64-bit numbers is
// dozens of instructions on a GPU, one of 32-bit numbers a handful: spaces of fewer than 2^32 elements take
// the latter. Offsets are always 64-bit, so that no tensor is too large.
#pragma once

#include <cstdint>

#include "kernels/cpu/strided.h"
#include "kernels/cuda/errors.h"
#include "kernels/cuda/launch.h"

namespace gb::cuda {

template <int N>
struct Offsets {
  int64_t of[N];
};

template <int N>
struct Space {
  static constexpr int kMaxDims = 16;  // kernel parameters are limited to 4 KiB
  int ndim;
  int64_t numel;
  int64_t sizes[kMaxDims];
  int64_t strides[N][kMaxDims];  // in elements

  __host__ __device__ Offsets<N> at(int64_t i) const {
    return numel <= 0xffffffff ? at_by<uint32_t>(static_cast<uint32_t>(i)) : at_by<int64_t>(i);
  }

 private:
  template <class Index>
  __host__ __device__ Offsets<N> at_by(Index i) const {
    Offsets<N> offsets = {};
    for (int d = ndim - 1; d >= 0; --d) {
      const Index size = static_cast<Index>(sizes[d]);
      const Index outer = d > 0 ? i / size : 0, index = i - outer * size;
      for (int k = 0; k < N; ++k) offsets.of[k] += static_cast<int64_t>(index) * strides[k][d];
      i = outer;
    }
    return offsets;
  }
};

template <int N>
Space<N> make_space(const cpu::Strided<N>& s) {
  if (s.ndim > Space<N>::kMaxDims) throw_space_too_deep(s.ndim, Space<N>::kMaxDims);
  Space<N> space = {};
  space.ndim = s.ndim;
  space.numel = s.numel();
  for (int d = 0; d < s.ndim; ++d) {
    space.sizes[d] = s.sizes[d];
    for (int k = 0; k < N; ++k) space.strides[k][d] = s.strides[k][d];
  }
  return space;
}

// The usual shape of a launch with one thread per element.
inline constexpr unsigned kThreads = 256;
// A number of blocks as a grid takes it. Too many (2^31) stays too many: the device refuses it with an error.
inline unsigned grid_of(int64_t blocks) {
  return static_cast<unsigned>(blocks < 0xffffffff ? blocks : 0xffffffff);
}
inline unsigned blocks_for(int64_t n) { return grid_of((n + kThreads - 1) / kThreads); }
// For a block that shares n pieces of work: at least a warp, at most kThreads, and no more than it has work for.
inline unsigned threads_for(int64_t n) {
  unsigned threads = 32;
  while (threads < kThreads && threads < n) threads *= 2;
  return threads;
}
__device__ inline int64_t thread_number() {
  return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

}  // namespace gb::cuda
