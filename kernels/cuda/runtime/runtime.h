// The CUDA runtime as the rest of glassbox sees it: which devices there are, on which stream work goes, and
// memory. Nothing here needs a toolkit header; the implementation does, so the targets behind it exist only
// with the toolkit.
//
// Linking //kernels/cuda/runtime:hooks (alwayslink) registers the DeviceHooks for CUDA at program start:
// allocator_for, gb::cuda::device_count and is_available of core/device_hooks.h then work. No CUDA call is
// made before the first use.
//
// There is one stream per thread and device: the default stream (nullptr) unless a StreamGuard says
// otherwise.
#pragma once

#include <string>

#include "core/allocator.h"
#include "core/device.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

// Why there is no GPU to use ("no NVIDIA driver: cudaErrorInsufficientDriver"), or "" when there is one.
// Never throws.
std::string why_unavailable();

int current_device();  // the device of this thread; 0 until set

StreamHandle current_stream();  // of this thread

// Makes `device` current for a scope. GB_LAUNCH launches on the current device, so an operator opens one of
// these on its tensors' device first.
class DeviceGuard {
 public:
  explicit DeviceGuard(Device device);  // index -1: leaves the current one
  ~DeviceGuard();
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  int previous_;
};

// Makes a new stream current for a scope; the destructor waits for it, then destroys it.
class StreamGuard {
 public:
  StreamGuard();
  ~StreamGuard();
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;

 private:
  StreamHandle previous_, stream_;
};

AllocatorStats allocator_stats(int device);
void empty_cache(int device);  // gives kept blocks back to CUDA, as torch.cuda.empty_cache()

}  // namespace gb::cuda
