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

// May a block have so many bytes of shared memory, once its kernel is allowed to ask?
inline bool may_share(size_t bytes) {
  return bytes <= static_cast<size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}
// A kernel may ask for 48 KB at a launch; for more it needs this first.
template <class Kernel>
void allow_shared(Kernel* kernel, size_t bytes) {
  if (bytes > 48 * 1024)
    GB_CUDA_CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
}

inline bool has_clusters() { return device_attribute(cudaDevAttrClusterLaunch) != 0; }

#else  // the host runner

inline bool may_share(size_t bytes) { return bytes <= 227 * 1024; }
template <class Kernel>
void allow_shared(Kernel*, size_t) {}

#endif

}  // namespace gb::cuda
