// DeviceHooks for CUDA, registered at program start. See core/device_hooks.h for what each function promises.
#include <fmt/format.h>

#include "core/device_hooks.h"
#include "kernels/cuda/check.h"
#include "kernels/cuda/runtime/caching_allocator.h"
#include "kernels/cuda/runtime/runtime.h"

namespace gb::cuda {
namespace {

int index_of(Device device) { return device.has_index() ? device.index() : current_device(); }

class CudaHooks final : public DeviceHooks {
 public:
  int device_count() const override {
    if (!why_unavailable().empty()) return 0;
    int count = 0;
    GB_CUDA_CHECK(cudaGetDeviceCount(&count));
    return count;
  }

  std::string describe(Device device) const override {
    if (std::string why = why_unavailable(); !why.empty()) return why;
    cudaDeviceProp p;
    GB_CUDA_CHECK(cudaGetDeviceProperties(&p, index_of(device)));
    return fmt::format("{}, compute capability {}.{}, {} multiprocessors, {} MiB", p.name, p.major, p.minor,
                       p.multiProcessorCount, p.totalGlobalMem >> 20);
  }

  Allocator* allocator(Device device) override { return caching_allocator(index_of(device)); }

  void copy(void* dst, Device dst_device, const void* src, Device src_device, size_t nbytes) override {
    if (nbytes == 0) return;
    DeviceGuard guard(dst_device.is_cuda() ? dst_device : src_device);
    const StreamHandle stream = current_stream();
    if (dst_device.is_cuda() && src_device.is_cuda() && index_of(dst_device) != index_of(src_device)) {
      // The source's work is on another device's stream: wait for it, then copy.
      synchronize(src_device);
      GB_CUDA_CHECK(
          cudaMemcpyPeerAsync(dst, index_of(dst_device), src, index_of(src_device), nbytes, stream));
      return;
    }
    // cudaMemcpyDefault reads the direction off the two addresses. From pageable host memory the call returns
    // once the bytes are staged, so the caller may change its buffer at once.
    GB_CUDA_CHECK(cudaMemcpyAsync(dst, src, nbytes, cudaMemcpyDefault, stream));
    if (!dst_device.is_cuda()) GB_CUDA_CHECK(cudaStreamSynchronize(stream));
  }

  void synchronize(Device device) override {
    DeviceGuard guard(device);
    GB_CUDA_CHECK(cudaDeviceSynchronize());
  }
};

CudaHooks g_hooks;
[[maybe_unused]] const bool g_registered = (register_device_hooks(kCUDA, &g_hooks), true);

}  // namespace
}  // namespace gb::cuda
