// KernelLaunch: what is known of one kernel when it is given to a device, and the place where somebody who
// wants to see launches listens. The launch macro of kernels/cuda reports, on a GPU and on the host runner
// alike; the dispatch trace listens (dispatcher/trace.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

namespace gb {

struct KernelLaunch {
  const char* kernel;  // as the launch spells it, in parentheses: "(forward_kernel<T>)"
  const char* file;    // of the launch
  int line;
  unsigned grid[3], block[3];  // x, y, z
  size_t shared_bytes;         // dynamic shared memory
  const void* stream;          // the backend's own handle; null: the default stream
};

std::string kernel_name(const KernelLaunch& launch);    // without the parentheses
std::string configuration(const KernelLaunch& launch);  // "grid (2,1,1), block (64,1,1), 0 bytes of shared memory"

using KernelLaunchHook = void (*)(const KernelLaunch& launch);
// Called before each launch, on the thread that launches. One listener; null: nobody.
inline constinit std::atomic<KernelLaunchHook> kernel_launch_hook{nullptr};

inline void report_kernel_launch(const KernelLaunch& launch) {
  if (KernelLaunchHook hook = kernel_launch_hook.load(std::memory_order_acquire)) hook(launch);
}

}  // namespace gb
