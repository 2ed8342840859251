#include "kernels/cuda/runtime/runtime.h"

#include <fmt/format.h>

#include "kernels/cuda/check.h"
#include "kernels/cuda/runtime/caching_allocator.h"

namespace gb::cuda {
namespace {
thread_local StreamHandle t_stream = nullptr;
}

std::string why_unavailable() {
  static const std::string reason = [] {
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code == cudaSuccess && count > 0) return std::string();
    cudaGetLastError();
    const char* name = cudaGetErrorName(code);
    if (code == cudaErrorInsufficientDriver)
      return fmt::format("no GPU: no NVIDIA driver, or one too old ({})", name);
    if (code == cudaErrorNoDevice || code == cudaSuccess)
      return fmt::format("no GPU: the driver sees no device ({})", name);
    return fmt::format("no GPU: {} ({})", cudaGetErrorString(code), name);
  }();
  return reason;
}

int current_device() {
  int device = 0;
  GB_CUDA_CHECK(cudaGetDevice(&device));
  return device;
}

StreamHandle current_stream() { return t_stream; }

DeviceGuard::DeviceGuard(Device device) : previous_(current_device()) {
  if (device.has_index() && device.index() != previous_) GB_CUDA_CHECK(cudaSetDevice(device.index()));
}
DeviceGuard::~DeviceGuard() { cudaSetDevice(previous_); }

StreamGuard::StreamGuard() : previous_(t_stream) {
  GB_CUDA_CHECK(
      cudaStreamCreate(&stream_));  // a blocking stream: it and the default stream wait for each other
  t_stream = stream_;
}
StreamGuard::~StreamGuard() {
  t_stream = previous_;
  cudaStreamSynchronize(stream_);
  caching_allocator(current_device())->adopt_blocks_of(stream_);
  cudaStreamDestroy(stream_);
}

}  // namespace gb::cuda
