#include "library/modes/memory_mode.h"

#include <algorithm>

namespace gb {

void MemoryMode::dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
  op.redispatchBoxed(ks, stack);
  peak_ = std::max(peak_, cpu_allocator_stats().in_use);
}

}  // namespace gb
