// What a device allows of a launch, and the check against it: on the host, before the launch, so that the
// error names the kernel and the number that is too large, where CUDA would say "invalid configuration
// argument".
#pragma once

#include "core/kernel_launch.h"

namespace gb::cuda {

struct LaunchLimits {
  unsigned threads_per_block;
  unsigned block[3], grid[3];
  size_t shared_bytes;  // dynamic, with the kernel's consent (kSharedByDefault without it)
};
inline constexpr size_t kSharedByDefault = 48 * 1024;

// A launch of `kernel`, as GB_LAUNCH writes it. Dim is dim3, CUDA's or the host runner's.
template <class Dim>
KernelLaunch describe_launch(const char* kernel, const char* file, int line, Dim grid, Dim block,
                             size_t shared_bytes, const void* stream) {
  if (file[0] == '.' && file[1] == '/') file += 2;  // g++ says it of a file that another one includes
  return {kernel, file, line, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared_bytes, stream};
}

// Throws ValueError that names the kernel, what is wrong, and the whole configuration.
void check_launch_configuration(const KernelLaunch& launch, const LaunchLimits& limits);

}  // namespace gb::cuda
