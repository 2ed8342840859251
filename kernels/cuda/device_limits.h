// What the current device can do, for kernels that need more than every CUDA device has. For .cu files.
#pragma once

#include <cstddef>

#include "kernels/cuda/launch.h"

namespace gb::cuda {

#ifdef __CUDACC__

inline size_t most_shared_bytes() { return device_facts().limits.shared_bytes; }  // that a block may have
// Code for sm_90a runs on compute capability 9.0 and nowhere else.
inline bool is_hopper() { return device_facts().capability == 9; }

inline int multiprocessors() { return device_facts().multiprocessors; }

#else  // the host runner

inline size_t most_shared_bytes() { return 227 * 1024; }
inline bool is_hopper() { return true; }    // kernels/cuda/instructions
inline int multiprocessors() { return 3; }  // few: a block that goes on to a second tile is seen to

#endif

inline bool may_share(size_t bytes) { return bytes <= most_shared_bytes(); }

}  // namespace gb::cuda
