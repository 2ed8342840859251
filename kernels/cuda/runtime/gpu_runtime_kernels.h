// Kernels of gpu_runtime_test: one that takes its time, one that fails, one that needs much shared memory.
#pragma once

#include <cstdint>

#include "kernels/cuda/stream_handle.h"

namespace gb::cuda::testing {

void spin_then_write(int* out, int value, int64_t cycles,
                     StreamHandle stream);  // *out = value after so many clocks
void write_nowhere(StreamHandle stream);    // to address 16
// out[0] = the sum of `bytes` bytes of shared memory that were set to 1 first.
void sum_of_shared(int* out, unsigned bytes, StreamHandle stream);
void launch_block_of(unsigned threads, StreamHandle stream);

}  // namespace gb::cuda::testing
