#include "kernels/cuda/linear/scratch.h"

#include <new>
#include <optional>

#ifdef GB_WITH_CUBLAS  // the build for a GPU
#include "core/device_hooks.h"
#include "kernels/cuda/runtime/runtime.h"
#endif

namespace gb::cuda {

#ifdef GB_WITH_CUBLAS
std::shared_ptr<void> scratch(size_t bytes, StreamHandle stream) {
  const Device device(kCUDA, static_cast<DeviceIndex>(current_device()));
  std::optional<CUDAStreamGuard> guard;  // the allocator serves the current stream
  if (stream != current_stream()) guard.emplace(getStreamFromExternal(stream, device.index()));
  const auto memory = std::make_shared<DataPtr>(allocator_for(device)->allocate(bytes));
  return {memory, memory->get()};
}
#else
std::shared_ptr<void> scratch(size_t bytes, StreamHandle) {
  return {::operator new(bytes, std::align_val_t{16}), [](void* p) { ::operator delete(p, std::align_val_t{16}); }};
}
#endif

}  // namespace gb::cuda
