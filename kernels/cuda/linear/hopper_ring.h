// A ring of stages in shared memory, and where a thread is in it. Producer and consumers go round it in step: each
// waits at the stage it has come to, for the parity of its round (instructions/mbarrier.h).
#pragma once

#include "kernels/cuda/instructions/mbarrier.h"

namespace gb::cuda {

template <int kStages>
inline constexpr int kRingBytes = 2 * kStages* static_cast<int>(sizeof(MBarrier));

template <int kStages>
struct Ring {
  MBarrier* barriers;  // [2][kStages]: full, empty
  int stage = 0;
  uint32_t parity = 0;

  __device__ explicit Ring(char* shared) : barriers(reinterpret_cast<MBarrier*>(shared)) {}

  // In one thread, before a barrier of all. A stage is empty when so many have arrived.
  __device__ void init(int consumers) {
    for (int s = 0; s < kStages; ++s) {
      barriers[s].init(1);
      barriers[kStages + s].init(static_cast<uint32_t>(consumers));
    }
    fence_mbarrier_init();
  }
  __device__ MBarrier& full() { return barriers[stage]; }
  __device__ MBarrier& empty() { return barriers[kStages + stage]; }
  __device__ MBarrier& empty_before() { return barriers[kStages + (stage == 0 ? kStages : stage) - 1]; }
  __device__ void advance() {
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

}  // namespace gb::cuda
