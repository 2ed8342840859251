#include "kernels/cuda/linear/scratch.h"

#include "core/device_hooks.h"
#include "kernels/cuda/runtime/runtime.h"

namespace gb::cuda {

DataPtr scratch(size_t nbytes) {
  return allocator_for(Device(kCUDA, static_cast<DeviceIndex>(current_device())))->allocate(nbytes);
}

}  // namespace gb::cuda
