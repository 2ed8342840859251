// The allocators behind CUDA tensors and pinned tensors: a BlockCache each, with CUDA as its MemorySource.
//
// Both live until the program ends: tensors in static variables may outlive everything else. When CUDA has no
// memory left, the cache is given back and the request tried once more; the error says what was asked, what
// is held and by whom.
#pragma once

#include "core/allocator.h"
#include "kernels/cuda/runtime/block_cache.h"

namespace gb::cuda {

class CachingAllocator : public Allocator {
 public:
  explicit CachingAllocator(MemorySource& source) : cache_(source) {}

  // `data` is used on `stream`, too. Memory that is not from here is left alone: its owner looks after it.
  void record_stream(const DataPtr& data, const Stream& stream);
  BlockCache& cache() { return cache_; }

 protected:
  DataPtr owning(BlockCache::Block* block, Device device) const {
    return DataPtr(block->data, block, &give_back, device);
  }

 private:
  static void give_back(void* block);
  BlockCache cache_;
};

// Of one device; allocates for use on the thread's current stream.
class DeviceAllocator final : public CachingAllocator {
 public:
  DeviceAllocator(MemorySource& source, DeviceIndex device) : CachingAllocator(source), device_(device) {}
  DataPtr allocate(size_t nbytes) override;

 private:
  [[noreturn]] void throw_out_of_memory(size_t nbytes);
  const DeviceIndex device_;
};

// Host memory that the GPU reads and writes by itself. It belongs to no stream: every use by a copy is
// recorded.
class PinnedAllocator final : public CachingAllocator {
 public:
  using CachingAllocator::CachingAllocator;
  DataPtr allocate(size_t nbytes) override;
  // A copy on `stream` uses the memory at `data`; nothing happens where that is not from here.
  void record_use(const void* data, const Stream& stream);
};

DeviceAllocator* device_allocator(int device);  // one per device, made at first use
PinnedAllocator* pinned_allocator();

}  // namespace gb::cuda
