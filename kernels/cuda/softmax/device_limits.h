// What the current device can do, for the rungs that need more than every CUDA device has. For .cu files.
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

#else  // the host runner

inline bool may_share(size_t bytes) { return bytes <= 227 * 1024; }

#endif

}  // namespace gb::cuda
