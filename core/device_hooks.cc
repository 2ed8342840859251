#include "core/device_hooks.h"

#include <fmt/format.h>

#include <array>
#include <atomic>

#include "core/error.h"

namespace gb {
namespace {

std::array<std::atomic<DeviceHooks*>, 6> g_hooks;

// Meta tensors have shapes and no data: every allocation is empty.
class MetaAllocator final : public Allocator {
 public:
  DataPtr allocate(size_t) override { return DataPtr(nullptr, Device(kMeta)); }
};
MetaAllocator g_meta_allocator;

}  // namespace

void register_device_hooks(DeviceType type, DeviceHooks* hooks) { g_hooks[static_cast<size_t>(type)] = hooks; }

DeviceHooks* device_hooks(DeviceType type) { return g_hooks[static_cast<size_t>(type)]; }

DeviceHooks* hooks_with_streams(DeviceType type) {
  if (type == kCPU) return nullptr;
  DeviceHooks* hooks = device_hooks(type);
  return hooks && hooks->has_streams() ? hooks : nullptr;
}

Allocator* allocator_for(Device device) {
  if (device.is_cpu()) return GetCPUAllocator();
  if (device.is_meta()) return &g_meta_allocator;
  DeviceHooks* hooks = device_hooks(device.type());
  GB_CHECK_OR_THROW(hooks, NotImplementedError, .what = fmt::format("no {} support in this program", device.str()),
                    .cause = "no DeviceHooks are registered for this device: it was built without the CUDA toolkit, or "
                             "without //kernels/cuda",
                    .repair = "run ./setup.sh (it installs the toolkit) and build again, or use the CPU",
                    .chapter = chapters::kKernels);
  const int count = hooks->device_count();
  GB_CHECK_OR_THROW(count > 0 && device.index() < count, NotImplementedError,
                    .what = fmt::format("no such device: {}", device.str()),
                    .cause = count > 0 ? fmt::format("this machine has {} device(s)", count) : hooks->describe(device),
                    .repair = "run on a machine with a GPU, or use the CPU", .chapter = chapters::kKernels);
  return hooks->allocator(device);
}

namespace cuda {
int device_count() {
  DeviceHooks* hooks = device_hooks(kCUDA);
  return hooks ? hooks->device_count() : 0;
}
bool is_available() { return device_count() > 0; }
}  // namespace cuda

}  // namespace gb
