#include "kernels/cuda/runtime/runtime.h"

#include <fmt/format.h>

#include "kernels/cuda/check.h"

namespace gb::cuda {

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

void set_device(int device) { GB_CUDA_CHECK(cudaSetDevice(device)); }
void device_synchronize() { GB_CUDA_CHECK(cudaDeviceSynchronize()); }

}  // namespace gb::cuda
