// Addresses in shared memory, 32 bits of them, as the instructions of this folder take them.
//
// A pointer of C++ is *generic*: it may point to any memory. A swizzle and a descriptor (wgmma.h) speak of the bits
// of the address in shared memory. The start of dynamic shared memory is promised to be aligned to 16 bytes, no
// more; who needs 1024 asks for 1023 bytes more and begins at align_shared.
#pragma once

#include <cstdint>

#include "kernels/cuda/launch.h"
#ifndef __CUDACC__
#include "kernels/cuda/simt/asynchronous.h"
#endif

namespace gb::cuda {

#ifdef __CUDACC__
__device__ inline uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}
#else
inline uint32_t shared_address(const void* pointer, GB_SIMT_SITE) {
  return simt::shared_address(pointer, {file, line});
}
#endif

// The first address from `pointer` on that is a multiple of `alignment`, a power of two.
template <class T>
__device__ T* align_shared(T* pointer, uint32_t alignment) {
  return reinterpret_cast<T*>(reinterpret_cast<char*>(pointer) + (-shared_address(pointer) & (alignment - 1)));
}

}  // namespace gb::cuda
