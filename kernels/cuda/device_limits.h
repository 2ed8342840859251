// What the current device can do, for kernels that need more than every CUDA device has. For .cu files.
#pragma once

#include <cstddef>

#include "kernels/cuda/launch.h"

namespace gb::cuda {

#ifdef __CUDACC__

inline int device_attribute(cudaDeviceAttr attribute) {
  int device = 0, value = 0;
  GB_CUDA_CHECK(cudaGetDevice(&device));
  GB_CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}

// May a block have so many bytes of shared memory?
inline bool may_share(size_t bytes) {
  return bytes <= static_cast<size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}
// Code for sm_90a runs on compute capability 9.0 and nowhere else.
inline bool is_hopper() { return device_attribute(cudaDevAttrComputeCapabilityMajor) == 9; }

inline int multiprocessors() { return device_attribute(cudaDevAttrMultiProcessorCount); }

#else  // the host runner

inline bool may_share(size_t bytes) { return bytes <= 227 * 1024; }
inline bool is_hopper() { return true; }      // kernels/cuda/instructions
inline int multiprocessors() { return 3; }  // few: a block that goes on to a second tile is seen to

#endif

}  // namespace gb::cuda
