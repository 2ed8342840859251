// Device memory and pinned host memory: both come from a BlockCache (block_cache.h), one per device and one
// for the host. Names follow torch.cuda; device -1 is the current one.
#pragma once

#include "core/allocator.h"
#include "kernels/cuda/runtime/block_cache.h"

namespace gb::cuda {

MemoryStats memory_stats(int device = -1);
size_t memory_allocated(int device = -1);      // bytes of living tensors, as blocks
size_t max_memory_allocated(int device = -1);  // the most so far
size_t memory_reserved(int device = -1);       // those and the blocks kept for reuse
size_t max_memory_reserved(int device = -1);
void reset_peak_memory_stats(int device = -1);  // the peaks start again from what is there now
void empty_cache();  // gives kept blocks of all devices, and of pinned memory, back to CUDA

MemoryStats pinned_memory_stats();

}  // namespace gb::cuda
