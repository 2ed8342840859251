// CUDA as the MemorySource of a BlockCache: cudaMalloc for a device, cudaHostAlloc for the host, and events,
// which are kept for reuse as making one takes longer than recording it. Used under the cache's lock.
#pragma once

#include <array>
#include <vector>

#include "kernels/cuda/runtime/block_cache.h"
#include "kernels/cuda/runtime/runtime.h"

namespace gb::cuda {

class CudaMemory : public MemorySource {
 public:
  Event record(const Stream& stream) override;
  bool has_passed(Event event) override;
  void wait(Event event) override;
  void forget(Event event) override;

 private:
  std::array<std::vector<Event>, kMaxDevices> kept_;  // events that nobody waits for
};

class DeviceMemory final : public CudaMemory {
 public:
  explicit DeviceMemory(DeviceIndex device) : device_(device) {}
  void* allocate(size_t bytes) override;
  void release(void* memory) override;

 private:
  const DeviceIndex device_;
};

class PinnedMemory final : public CudaMemory {
 public:
  void* allocate(size_t bytes) override;
  void release(void* memory) override;
};

}  // namespace gb::cuda
