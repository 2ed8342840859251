// DeviceHooks for CUDA, registered at program start. See core/device_hooks.h for what each function promises.
#include <fmt/format.h>

#include "core/device_hooks.h"
#include "kernels/cuda/check.h"
#include "kernels/cuda/runtime/caching_allocator.h"
#include "kernels/cuda/runtime/event.h"
#include "kernels/cuda/runtime/runtime.h"

namespace gb::cuda {
namespace {

int index_of(Device device) { return device.has_index() ? device.index() : cuda::current_device(); }
CUDAStream cuda_stream(const Stream& stream) { return CUDAStream(CUDAStream::UNCHECKED, stream); }

class CudaHooks final : public DeviceHooks {
 public:
  int device_count() const override {
    if (!why_unavailable().empty()) return 0;
    static const int count = [] {
      int n = 0;
      GB_CUDA_CHECK(cudaGetDeviceCount(&n));
      return n;
    }();
    return count;
  }

  std::string describe(Device device) const override {
    if (std::string why = why_unavailable(); !why.empty()) return why;
    cudaDeviceProp p;
    GB_CUDA_CHECK(cudaGetDeviceProperties(&p, index_of(device)));
    return fmt::format("{}, compute capability {}.{}, {} multiprocessors, {} MiB", p.name, p.major, p.minor,
                       p.multiProcessorCount, p.totalGlobalMem >> 20);
  }

  Allocator* allocator(Device device) override { return device_allocator(index_of(device)); }

  void copy(void* dst, Device dst_device, const void* src, Device src_device, size_t nbytes) override {
    copy_async(dst, dst_device, src, src_device, nbytes);
    // From pageable host memory CUDA returns once the bytes are staged; from pinned memory it reads them
    // later.
    const bool arrived = dst_device.is_cuda() && (src_device.is_cuda() || !is_pinned(src));
    if (!arrived && nbytes) getCurrentCUDAStream(cuda_side(dst_device, src_device).index()).synchronize();
  }

  void copy_async(void* dst, Device dst_device, const void* src, Device src_device, size_t nbytes) override {
    if (nbytes == 0) return;
    const CUDAGuard guard(cuda_side(dst_device, src_device));
    const CUDAStream stream = getCurrentCUDAStream();
    if (dst_device.is_cuda() && src_device.is_cuda() && index_of(dst_device) != index_of(src_device)) {
      // The source is written, and later written again, by its own device's stream.
      const CUDAStream source = getCurrentCUDAStream(static_cast<DeviceIndex>(index_of(src_device)));
      wait(stream, source);
      GB_CUDA_CHECK(
          cudaMemcpyPeerAsync(dst, index_of(dst_device), src, index_of(src_device), nbytes, stream));
      wait(source, stream);
      return;
    }
    // cudaMemcpyDefault reads the direction off the two addresses.
    GB_CUDA_CHECK(cudaMemcpyAsync(dst, src, nbytes, cudaMemcpyDefault, stream));
    if (!dst_device.is_cuda()) cuda::pinned_allocator()->record_use(dst, stream);
    if (!src_device.is_cuda()) cuda::pinned_allocator()->record_use(src, stream);
  }

  void synchronize(Device device) override {
    const CUDAGuard guard(device);
    device_synchronize();
  }

  bool has_streams() const override { return true; }
  int current_device() const override { return cuda::current_device(); }
  void set_current_device(Device device) override { set_device(index_of(device)); }
  Stream current_stream(Device device) const override { return getCurrentCUDAStream(device.index()); }
  void set_current_stream(const Stream& stream) override { setCurrentCUDAStream(cuda_stream(stream)); }

  void wait(const Stream& later, const Stream& earlier) override {
    if (later == earlier) return;
    CUDAEvent event;
    event.record(cuda_stream(earlier));
    event.block(cuda_stream(later));
  }

  void record_stream(const DataPtr& data, const Stream& stream) override {
    if (data.device().is_cuda()) device_allocator(index_of(data.device()))->record_stream(data, stream);
  }

  Allocator* pinned_allocator() override { return device_count() > 0 ? cuda::pinned_allocator() : nullptr; }

  bool is_pinned(const void* data) const override {
    if (device_count() == 0 || !data) return false;
    cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, data) != cudaSuccess) {
      cudaGetLastError();  // an answer, not a fault
      return false;
    }
    return attributes.type == cudaMemoryTypeHost;
  }

 private:
  // The device whose stream does a copy: the destination's, if it is a GPU.
  static Device cuda_side(Device dst, Device src) { return dst.is_cuda() ? dst : src; }
};

CudaHooks g_hooks;
[[maybe_unused]] const bool g_registered = (register_device_hooks(kCUDA, &g_hooks), true);

}  // namespace
}  // namespace gb::cuda
