// GB_CUDA_CHECK(call): turns a CUDA runtime error code into a four-part gb::Error that names the call, the
// error and what to do. Needs the CUDA toolkit's headers; a build without the toolkit never includes this
// file.
#pragma once

#include <cuda_runtime_api.h>

#include "core/error.h"

namespace gb::cuda {

// Throws OutOfMemoryError for cudaErrorMemoryAllocation, NotImplementedError for a missing driver or device,
// else Error.
[[noreturn]] void throw_cuda_error(cudaError_t code, const char* call, SourceLocation location);

// After a launch: throws when the device refused it (too many threads, no code for this GPU, ...).
void check_launch(const char* kernel, SourceLocation location);

}  // namespace gb::cuda

#define GB_CUDA_CHECK(call)                                                    \
  do {                                                                         \
    cudaError_t gb_cuda_code = (call);                                         \
    if (gb_cuda_code != cudaSuccess)                                           \
      ::gb::cuda::throw_cuda_error(gb_cuda_code, #call, GB_SOURCE_LOCATION()); \
  } while (0)
