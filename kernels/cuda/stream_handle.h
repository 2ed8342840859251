// StreamHandle: the queue that a kernel or a copy is put on. It is CUDA's own cudaStream_t under a name that
// needs no toolkit header, so that every caller of kernels/cuda compiles on a machine without CUDA. nullptr
// is the default stream; the host runner (kernels/cuda/simt) ignores the handle, for there a launch is
// finished when it returns.
#pragma once

struct CUstream_st;

namespace gb::cuda {
using StreamHandle = CUstream_st*;
}  // namespace gb::cuda
