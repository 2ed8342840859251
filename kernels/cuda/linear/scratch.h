// Memory of the current device for the length of a call, from the caching allocator; in the host build plain memory.
#pragma once

#include <cstddef>
#include <memory>

#include "kernels/cuda/launch.h"

namespace gb::cuda {

std::shared_ptr<void> scratch(size_t bytes);

// How many blocks can run at the same time, if one fits into each multiprocessor.
#ifdef __CUDACC__
inline int multiprocessors() {
  int device = 0, count = 0;
  GB_CUDA_CHECK(cudaGetDevice(&device));
  GB_CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}
#else
inline int multiprocessors() { return 4; }  // of the host runner: small products have too few tiles for it, as on a GPU
#endif

}  // namespace gb::cuda
