// DeviceHooks: what a device other than the CPU must be able to do. `kernels/cuda` fills it in for CUDA, and a
// reader's own backend for PrivateUse1; `core/` never includes either.
#pragma once

#include <cstddef>
#include <string>

#include "core/allocator.h"
#include "core/device.h"

namespace gb {

class DeviceHooks {
 public:
  virtual ~DeviceHooks() = default;
  virtual int device_count() const = 0;  // 0: no such device in this machine
  virtual std::string describe(Device device) const = 0;  // "NVIDIA H200, compute capability 9.0"; why there is none
  virtual Allocator* allocator(Device device) = 0;
  // Contiguous bytes; one side may be the CPU. Ordered after all work already given to the device's stream;
  // a copy to the CPU has arrived when it returns.
  virtual void copy(void* dst, Device dst_device, const void* src, Device src_device, size_t nbytes) = 0;
  virtual void synchronize(Device device) = 0;
};

// `hooks` must live for the rest of the program.
void register_device_hooks(DeviceType type, DeviceHooks* hooks);
// Null when nothing is registered for the type.
DeviceHooks* device_hooks(DeviceType type);

// The memory of `device`; throws (no CUDA in this build, no GPU in this machine) with the reason.
Allocator* allocator_for(Device device);

namespace cuda {
bool is_available();  // a build with CUDA on a machine with a GPU
int device_count();
}  // namespace cuda

}  // namespace gb
