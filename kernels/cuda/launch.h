// The launch layer: the one header a .cu file needs so that the same source builds twice.
//
//   nvcc  -> a kernel for the GPU, launched with <<<grid, block, shared, stream>>>
//   g++   -> ordinary functions, run thread by thread on this processor by the SIMT runner (folder simt/):
//            a debugger can stop in them, and barriers and warp operations are checked
//
//   namespace { __global__ void scale(float* x, float f, int n) { ... } }
//   GB_LAUNCH((scale), grid, block, shared_bytes, stream, x, f, n);
//
// Rules that make both builds possible:
//  * kernels stand in an anonymous namespace (the address sanitizer then sees their shared arrays);
//  * the kernel's name is in parentheses, which keep the comma of GB_LAUNCH((k<1, 2>), ...) together;
//  * `alignas(16) __shared__ float tile[..]`, alignas first; dynamic memory: GB_EXTERN_SHARED(T, name);
//  * no inline PTX outside `#ifdef __CUDACC__`.
// Before a launch its configuration is checked against the device, and it is reported to whoever listens
// (core/kernel_launch.h: the dispatch trace). More than 48 KiB of dynamic shared memory is allowed to the
// kernel on the way. A fault inside a kernel shows at a later synchronisation on the GPU, or, with
// GB_LAUNCH_BLOCKING=1, at the launch that caused it; on the host runner always there. Errors name the
// kernel.
#pragma once

#include "kernels/cuda/launch_limits.h"
#include "kernels/cuda/stream_handle.h"

#ifdef __CUDACC__

#include <cuda_runtime.h>

#include "kernels/cuda/check.h"

#define GB_LAUNCH(kernel, grid, block, shared_bytes, stream, ...)                                          \
  do {                                                                                                     \
    const ::dim3 gb_grid = ::dim3(grid), gb_block = ::dim3(block);                                         \
    const ::gb::KernelLaunch gb_launch = ::gb::cuda::describe_launch(#kernel, __FILE__, __LINE__, gb_grid, \
                                                                     gb_block, (shared_bytes), (stream));  \
    ::gb::cuda::before_launch(gb_launch, reinterpret_cast<const void*>(kernel));                           \
    kernel<<<gb_grid, gb_block, (shared_bytes), (stream)>>>(__VA_ARGS__);                                  \
    ::gb::cuda::after_launch(gb_launch, (stream));                                                         \
  } while (0)

// Declares `name` as a T* to the launch's dynamic shared memory, 16-byte aligned.
#define GB_EXTERN_SHARED(T, name)                     \
  extern __shared__ uint4 gb_dynamic_shared_memory[]; \
  T* const name = reinterpret_cast<T*>(gb_dynamic_shared_memory)

#else

#include "kernels/cuda/simt/simt.h"

// The runner checks the configuration itself.
#define GB_LAUNCH(kernel, grid, block, shared_bytes, stream, ...)                                    \
  (::gb::report_kernel_launch(::gb::cuda::describe_launch(#kernel, __FILE__, __LINE__, ::dim3(grid), \
                                                          ::dim3(block), (shared_bytes), (stream))), \
   ::gb::simt::launch({#kernel, __FILE__, __LINE__}, kernel, (grid), (block),                        \
                      (shared_bytes)__VA_OPT__(, ) __VA_ARGS__))

#define GB_EXTERN_SHARED(T, name) T* const name = static_cast<T*>(::gb::simt::dynamic_shared())

#endif
