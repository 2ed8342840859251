// The runtime of a GPU that is not there: this processor and its memory, under CUDA's name. With it, and the host
// builds of the kernels, the operators' CUDA kernels run under the SIMT runner: a tensor on cuda:0 is a tensor in host
// memory. There is one device and one stream, and every launch has ended when it returns.
#include <cstring>
#include <new>

#include "core/device_hooks.h"
#include "core/error.h"
#include "kernels/cuda/runtime/runtime.h"

namespace gb::cuda {

std::string why_unavailable() { return ""; }
int current_device() { return 0; }
StreamHandle current_stream() { return nullptr; }

DeviceIndex CUDAGuard::index_of_cuda(Device device) { return device.index(); }
CUDAGuard::CUDAGuard(DeviceIndex device_index) : original_(0), current_(0) {
  if (device_index != -1) set_index(device_index);
}
CUDAGuard::~CUDAGuard() = default;
void CUDAGuard::set_index(DeviceIndex device_index) {
  GB_CHECK_OR_THROW(device_index == 0, ValueError, .what = "the SIMT runner is one device",
                    .cause = Device(kCUDA, device_index).str(), .repair = "use cuda:0", .chapter = chapters::kKernels);
}

namespace {

class HostMemory final : public Allocator {
 public:
  DataPtr allocate(size_t nbytes) override {
    void* memory = nbytes == 0 ? nullptr : ::operator new(nbytes);  // exact: the address sanitizer sees overruns
    return DataPtr(memory, memory, [](void* block) { ::operator delete(block); }, Device(kCUDA, 0));
  }
};

class HostHooks final : public DeviceHooks {
 public:
  int device_count() const override { return 1; }
  std::string describe(Device) const override { return "this processor, under the SIMT runner"; }
  Allocator* allocator(Device) override { return &memory_; }
  void copy(void* dst, Device, const void* src, Device, size_t nbytes) override {
    if (nbytes > 0) std::memcpy(dst, src, nbytes);
  }
  void synchronize(Device) override {}

 private:
  HostMemory memory_;
};

HostHooks g_hooks;
[[maybe_unused]] const bool g_registered = (register_device_hooks(kCUDA, &g_hooks), true);

}  // namespace
}  // namespace gb::cuda
