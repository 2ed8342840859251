// CachingAllocator: device memory that is kept for reuse, because cudaMalloc and cudaFree take microseconds
// and cudaFree waits for the whole GPU.
//
// A freed block goes to a free list and is handed out again, possibly while the kernel that last used it
// still runs: that is safe because the next user's work is queued behind it, on the same stream. Hence the
// free lists are per stream. Sizes are rounded (512-byte steps doubling up to 1 MiB, then multiples of 2 MiB)
// so that blocks fit again. When CUDA has no memory left, the cache is given back and the request tried once
// more. Thread-safe. Lives until the program ends: tensors in static variables may outlive everything else.
// Source of the idea: c10/cuda/CUDACachingAllocator.cpp, which also splits blocks.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "core/allocator.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

size_t rounded_size(size_t nbytes);  // what a request of nbytes takes; nbytes > 0

class CachingAllocator final : public Allocator {
 public:
  explicit CachingAllocator(int device) : device_(device) {}

  DataPtr allocate(size_t nbytes) override;  // for use on the current stream
  void empty_cache();
  AllocatorStats stats() const;
  // `stream` has finished and ends: its free blocks serve the default stream from now on.
  void adopt_blocks_of(StreamHandle stream);

 private:
  struct Block {
    CachingAllocator* owner;
    void* data;
    size_t bytes;
    StreamHandle stream;
  };
  static void give_back(void* block);
  void* allocate_from_cuda(size_t bytes, size_t requested);
  void empty_cache_locked();

  const int device_;
  mutable std::mutex mutex_;
  std::map<std::pair<StreamHandle, size_t>, std::vector<Block*>> free_;  // by stream and rounded size
  AllocatorStats stats_;
};

CachingAllocator* caching_allocator(int device);  // one per device, made at first use

}  // namespace gb::cuda
