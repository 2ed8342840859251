// MemoryMode: the most memory that tensors on the CPU held while it was active.
//
// It asks the allocator after each operator below autograd, forward and backward: what was alive then, its result included.
// What a kernel takes and gives back meanwhile is not seen. Bytes as the allocator counts them, in blocks of powers of two
// (core/allocator.h), of the whole program, less those in use when the mode was made. In PyTorch: max_memory_allocated of a
// GPU; for the CPU the profiler's profile_memory.
#pragma once

#include "core/allocator.h"
#include "dispatcher/dispatch_mode.h"

namespace gb {

class MemoryMode final : public DispatchMode {
 public:
  void dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) override;
  size_t peak_bytes() const { return peak_ - before_; }

 private:
  size_t before_ = cpu_allocator_stats().in_use, peak_ = before_;
};

}  // namespace gb
