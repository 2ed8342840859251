// GB_CUDA_CHECK(call): turns a CUDA runtime error code into a four-part gb::Error that names the call, the
// error and what to do. And what GB_LAUNCH does around a launch. Needs the CUDA toolkit's headers; a build
// without the toolkit never includes this file.
#pragma once

#include <cuda_runtime_api.h>

#include "core/error.h"
#include "kernels/cuda/launch_limits.h"

namespace gb::cuda {

// Throws OutOfMemoryError for cudaErrorMemoryAllocation, NotImplementedError for a missing driver or device,
// else Error.
[[noreturn]] void throw_cuda_error(cudaError_t code, const char* call, SourceLocation location);

// What is known of the current device; read once per device.
struct DeviceFacts {
  LaunchLimits limits;
  int multiprocessors;
  int capability;  // compute capability's first number: 9 for Hopper
};
const DeviceFacts& device_facts();

// Throws where the device would refuse the launch; allows `function` its shared memory; reports the launch.
void before_launch(const KernelLaunch& launch, const void* function);
// Throws where the device refused the launch, and under GB_LAUNCH_BLOCKING=1, which waits here, where the
// kernel failed.
void after_launch(const KernelLaunch& launch, cudaStream_t stream);

}  // namespace gb::cuda

#define GB_CUDA_CHECK(call)                                                    \
  do {                                                                         \
    cudaError_t gb_cuda_code = (call);                                         \
    if (gb_cuda_code != cudaSuccess)                                           \
      ::gb::cuda::throw_cuda_error(gb_cuda_code, #call, GB_SOURCE_LOCATION()); \
  } while (0)
