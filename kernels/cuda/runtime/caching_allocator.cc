#include "kernels/cuda/runtime/caching_allocator.h"

#include <fmt/format.h>

#include <memory>

#include "kernels/cuda/check.h"
#include "kernels/cuda/runtime/runtime.h"

namespace gb::cuda {

size_t rounded_size(size_t nbytes) {
  constexpr size_t kSmallest = 512, kSmallLimit = size_t{1} << 20, kLargeStep = size_t{2} << 20;
  if (nbytes > kSmallLimit) return (nbytes + kLargeStep - 1) / kLargeStep * kLargeStep;
  size_t rounded = kSmallest;
  while (rounded < nbytes) rounded *= 2;
  return rounded;
}

DataPtr CachingAllocator::allocate(size_t nbytes) {
  const Device device(kCUDA, static_cast<DeviceIndex>(device_));
  if (nbytes == 0) return DataPtr(nullptr, device);
  const size_t bytes = rounded_size(nbytes);
  const StreamHandle stream = current_stream();
  std::lock_guard lock(mutex_);
  Block* block;
  std::vector<Block*>& list = free_[{stream, bytes}];
  if (!list.empty()) {
    block = list.back();
    list.pop_back();
    stats_.cached -= bytes;
    ++stats_.reused;
  } else {
    void* data = allocate_from_cuda(bytes, nbytes);
    block = new Block{this, data, bytes, stream};
    ++stats_.from_system;
  }
  stats_.in_use += bytes;
  return DataPtr(block->data, block, &give_back, device);
}

void* CachingAllocator::allocate_from_cuda(size_t bytes, size_t requested) {
  DeviceGuard guard(Device(kCUDA, static_cast<DeviceIndex>(device_)));
  void* data = nullptr;
  cudaError_t code = cudaMalloc(&data, bytes);
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // the error is dealt with: the next launch must not report it
    empty_cache_locked();
    code = cudaMalloc(&data, bytes);
  }
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    size_t free_bytes = 0, total_bytes = 0;
    cudaMemGetInfo(&free_bytes, &total_bytes);
    GB_THROW(OutOfMemoryError,
             .what = fmt::format("CUDA out of memory: tried to allocate {} bytes", requested),
             .cause = fmt::format("cuda:{} has {} bytes, {} of them free; this program holds {}", device_,
                                  total_bytes, free_bytes, stats_.in_use),
             .repair = "free tensors or use smaller ones; another program may hold memory too (nvidia-smi)",
             .chapter = chapters::kKernels);
  }
  GB_CUDA_CHECK(code);
  return data;
}

void CachingAllocator::give_back(void* context) {
  Block* block = static_cast<Block*>(context);
  CachingAllocator& self = *block->owner;
  std::lock_guard lock(self.mutex_);
  self.free_[{block->stream, block->bytes}].push_back(block);
  self.stats_.in_use -= block->bytes;
  self.stats_.cached += block->bytes;
}

void CachingAllocator::empty_cache() {
  std::lock_guard lock(mutex_);
  DeviceGuard guard(Device(kCUDA, static_cast<DeviceIndex>(device_)));
  empty_cache_locked();
}

void CachingAllocator::empty_cache_locked() {
  for (auto& [key, list] : free_)
    for (Block* block : list) {
      cudaFree(block->data);  // waits for the work that still uses it; a failure leaves nothing to do better
      delete block;
    }
  free_.clear();
  stats_.cached = 0;
}

AllocatorStats CachingAllocator::stats() const {
  std::lock_guard lock(mutex_);
  return stats_;
}

void CachingAllocator::adopt_blocks_of(StreamHandle stream) {
  std::lock_guard lock(mutex_);
  for (auto& [key, list] : free_) {
    if (key.first != stream || !stream) continue;
    std::vector<Block*>& to = free_[{nullptr, key.second}];  // a map: inserting leaves iterators as they are
    for (Block* block : list) {
      block->stream = nullptr;
      to.push_back(block);
    }
    list.clear();
  }
}

CachingAllocator* caching_allocator(int device) {
  static std::mutex mutex;
  static auto* all = new std::map<int, std::unique_ptr<CachingAllocator>>;  // never destroyed, see the header
  std::lock_guard lock(mutex);
  std::unique_ptr<CachingAllocator>& one = (*all)[device];
  if (!one) one = std::make_unique<CachingAllocator>(device);
  return one.get();
}

AllocatorStats allocator_stats(int device) { return caching_allocator(device)->stats(); }
void empty_cache(int device) { caching_allocator(device)->empty_cache(); }

}  // namespace gb::cuda
