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
// A launch that the device refuses throws gb::Error at once. A fault inside a kernel shows at the next
// synchronisation on the GPU, and at the launch on the host runner.
#pragma once

#include "kernels/cuda/stream_handle.h"

#ifdef __CUDACC__

#include <cuda_runtime.h>

#include "kernels/cuda/check.h"

#define GB_LAUNCH(kernel, grid, block, shared_bytes, stream, ...)       \
  do {                                                                  \
    kernel<<<(grid), (block), (shared_bytes), (stream)>>>(__VA_ARGS__); \
    ::gb::cuda::check_launch(#kernel, GB_SOURCE_LOCATION());            \
  } while (0)

// Declares `name` as a T* to the launch's dynamic shared memory, 16-byte aligned.
#define GB_EXTERN_SHARED(T, name)                     \
  extern __shared__ uint4 gb_dynamic_shared_memory[]; \
  T* const name = reinterpret_cast<T*>(gb_dynamic_shared_memory)

#else

#include "kernels/cuda/simt/simt.h"

#define GB_LAUNCH(kernel, grid, block, shared_bytes, stream, ...)                             \
  ((void)(stream), ::gb::simt::launch({#kernel, __FILE__, __LINE__}, kernel, (grid), (block), \
                                      (shared_bytes)__VA_OPT__(, ) __VA_ARGS__))

#define GB_EXTERN_SHARED(T, name) T* const name = static_cast<T*>(::gb::simt::dynamic_shared())

#endif
