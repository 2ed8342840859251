#include "kernels/cuda/runtime/caching_allocator.h"

#include <fmt/format.h>

#include <map>
#include <memory>

#include "kernels/cuda/check.h"
#include "kernels/cuda/runtime/cuda_memory.h"
#include "kernels/cuda/runtime/memory.h"

namespace gb::cuda {
namespace {

// Pinned memory belongs to no stream of a device: this one stands for that.
const Stream kHost(Stream::UNSAFE, Device(kCPU), 0);

std::string readable(size_t bytes) {
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  double amount = static_cast<double>(bytes) / 1024;
  const char* const units[] = {"KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  for (; amount >= 1024 && unit < 3; ++unit) amount /= 1024;
  return fmt::format("{:.2f} {}", amount, units[unit]);
}

std::string largest_holders(const BlockCache& cache) {
  constexpr size_t kShown = 5;
  std::string text;
  const std::vector<BlockCache::Holder> holders = cache.holders();
  for (size_t i = 0; i < holders.size() && i < kShown; ++i) {
    const BlockCache::Holder& h = holders[i];
    text +=
        fmt::format("{}{} in {} block(s): {}", i ? "; " : "", readable(h.bytes), h.blocks, h.owner.function);
    if (*h.owner.file) text += fmt::format(" ({})", h.owner.file);
  }
  return text.empty() ? "nothing" : text;
}

struct DeviceEntry {
  explicit DeviceEntry(DeviceIndex device) : memory(device), allocator(memory, device) {}
  DeviceMemory memory;
  DeviceAllocator allocator;
};

std::mutex g_mutex;
std::map<int, std::unique_ptr<DeviceEntry>>& entries() {
  static auto* all = new std::map<int, std::unique_ptr<DeviceEntry>>;  // never destroyed, see the header
  return *all;
}

BlockCache& cache_of(int device) {
  return device_allocator(device == -1 ? current_device() : device)->cache();
}

}  // namespace

void CachingAllocator::give_back(void* context) {
  auto* block = static_cast<BlockCache::Block*>(context);
  block->cache->give_back(block);
}

void CachingAllocator::record_stream(const DataPtr& data, const Stream& stream) {
  if (data.get_deleter() != &give_back) return;
  auto* block = static_cast<BlockCache::Block*>(data.get_context());
  block->cache->record_stream(block, stream);
}

DataPtr DeviceAllocator::allocate(size_t nbytes) {
  const Device device(kCUDA, device_);
  if (nbytes == 0) return DataPtr(nullptr, device);
  BlockCache::Block* block = cache().allocate(nbytes, getCurrentCUDAStream(device_), current_memory_owner);
  if (!block) throw_out_of_memory(nbytes);
  return owning(block, device);
}

void DeviceAllocator::throw_out_of_memory(size_t nbytes) {
  const CUDAGuard guard(device_);
  size_t free_bytes = 0, total_bytes = 0;
  cudaMemGetInfo(&free_bytes, &total_bytes);
  const MemoryStats stats = cache().stats();
  GB_THROW(
      OutOfMemoryError,
      .what = fmt::format("CUDA out of memory: {} tried to allocate {} ({} bytes) on cuda:{}",
                          current_memory_owner.function, readable(nbytes), nbytes, static_cast<int>(device_)),
      .cause = fmt::format(
          "the device has {}, {} of them free. This program's tensors hold {} and asked for {} of "
          "it; {} are kept for reuse, in pieces too small. The largest holders: {}",
          readable(total_bytes), readable(free_bytes), readable(stats.allocated.current),
          readable(stats.requested.current), readable(stats.reserved.current - stats.allocated.current),
          largest_holders(cache())),
      .repair = "free tensors or use smaller ones; another program may hold memory too (nvidia-smi)",
      .chapter = chapters::kKernels);
}

DataPtr PinnedAllocator::allocate(size_t nbytes) {
  if (nbytes == 0) return DataPtr(nullptr, kCPU);
  BlockCache::Block* block = cache().allocate(nbytes, kHost, current_memory_owner);
  GB_CHECK_OR_THROW(
      block, OutOfMemoryError,
      .what = fmt::format("out of pinned host memory: tried to pin {}", readable(nbytes)),
      .cause = fmt::format("the system pins no more; pinned tensors hold {}: {}",
                           readable(cache().stats().allocated.current), largest_holders(cache())),
      .repair = "pin less, or free pinned tensors; pinned memory cannot be swapped out",
      .chapter = chapters::kKernels);
  return owning(block, kCPU);
}

void PinnedAllocator::record_use(const void* data, const Stream& stream) {
  if (BlockCache::Block* block = cache().find(data)) cache().record_stream(block, stream);
}

DeviceAllocator* device_allocator(int device) {
  const std::lock_guard lock(g_mutex);
  std::unique_ptr<DeviceEntry>& entry = entries()[device];
  if (!entry) entry = std::make_unique<DeviceEntry>(static_cast<DeviceIndex>(device));
  return &entry->allocator;
}

PinnedAllocator* pinned_allocator() {
  static auto* memory = new PinnedMemory;  // never destroyed, see the header
  static auto* allocator = new PinnedAllocator(*memory);
  return allocator;
}

MemoryStats memory_stats(int device) { return cache_of(device).stats(); }
size_t memory_allocated(int device) { return memory_stats(device).allocated.current; }
size_t max_memory_allocated(int device) { return memory_stats(device).allocated.peak; }
size_t memory_reserved(int device) { return memory_stats(device).reserved.current; }
size_t max_memory_reserved(int device) { return memory_stats(device).reserved.peak; }
void reset_peak_memory_stats(int device) { cache_of(device).reset_peaks(); }
MemoryStats pinned_memory_stats() { return pinned_allocator()->cache().stats(); }

void empty_cache() {
  std::vector<BlockCache*> caches{&pinned_allocator()->cache()};
  {
    const std::lock_guard lock(g_mutex);
    for (auto& [device, entry] : entries()) caches.push_back(&entry->allocator.cache());
  }
  for (BlockCache* cache : caches) cache->empty();
}

}  // namespace gb::cuda
