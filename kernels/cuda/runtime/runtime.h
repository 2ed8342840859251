// The CUDA runtime as the rest of glassbox sees it: which devices there are, streams and guards (stream.h,
// guard.h, event.h), and memory (memory.h). Nothing here needs a toolkit header; the implementation does, so
// the targets behind it exist only with the toolkit.
//
// Linking //kernels/cuda/runtime:hooks (alwayslink) registers the DeviceHooks for CUDA at program start:
// allocator_for, gb::cuda::device_count and is_available of core/device_hooks.h then work. No CUDA call is
// made before the first use.
#pragma once

#include <string>

#include "kernels/cuda/runtime/guard.h"
#include "kernels/cuda/runtime/stream.h"

namespace gb::cuda {

inline constexpr int kMaxDevices = 64;  // that one program can use

// Why there is no GPU to use ("no NVIDIA driver: cudaErrorInsufficientDriver"), or "" when there is one.
// Never throws.
std::string why_unavailable();

int current_device();  // the device of this thread; 0 until set
void set_device(int device);
void device_synchronize();  // waits for all streams of the current device

}  // namespace gb::cuda
