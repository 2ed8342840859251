#include "kernels/cuda/linear/scratch.h"

#include <new>

#ifdef GB_WITH_CUBLAS  // the build for a GPU
#include "core/device_hooks.h"
#include "kernels/cuda/runtime/runtime.h"
#endif

namespace gb::cuda {

#ifdef GB_WITH_CUBLAS
std::shared_ptr<void> scratch(size_t bytes) {
  const Device device(kCUDA, static_cast<DeviceIndex>(current_device()));
  const auto memory = std::make_shared<DataPtr>(allocator_for(device)->allocate(bytes));
  return {memory, memory->get()};
}
#else
std::shared_ptr<void> scratch(size_t bytes) {
  return {::operator new(bytes, std::align_val_t{16}), [](void* p) { ::operator delete(p, std::align_val_t{16}); }};
}
#endif

}  // namespace gb::cuda
