#include "kernels/cuda/launch_limits.h"

#include <fmt/format.h>

#include "core/error.h"

namespace gb::cuda {
namespace {

// What is wrong with a launch; empty: nothing.
std::string fault(const KernelLaunch& launch, const LaunchLimits& limits) {
  const char axes[] = {'x', 'y', 'z'};
  for (int i = 0; i < 3; ++i) {
    if (launch.grid[i] == 0) return fmt::format("its grid has no block in {}", axes[i]);
    if (launch.block[i] == 0) return fmt::format("its block has no thread in {}", axes[i]);
    if (launch.grid[i] > limits.grid[i])
      return fmt::format("its grid has {} blocks in {}, the limit is {}", launch.grid[i], axes[i],
                         limits.grid[i]);
    if (launch.block[i] > limits.block[i])
      return fmt::format("its block has {} threads in {}, the limit is {}", launch.block[i], axes[i],
                         limits.block[i]);
  }
  const size_t threads = size_t{launch.block[0]} * launch.block[1] * launch.block[2];
  if (threads > limits.threads_per_block)
    return fmt::format("its block has {} threads, the limit is {}", threads, limits.threads_per_block);
  if (launch.shared_bytes > limits.shared_bytes)
    return fmt::format("it asks for {} bytes of shared memory, the limit is {}", launch.shared_bytes,
                       limits.shared_bytes);
  return "";
}

}  // namespace

void check_launch_configuration(const KernelLaunch& launch, const LaunchLimits& limits) {
  const size_t threads = size_t{launch.block[0]} * launch.block[1] * launch.block[2];
  const bool fits = launch.grid[0] - 1 < limits.grid[0] && launch.grid[1] - 1 < limits.grid[1] &&
                    launch.grid[2] - 1 < limits.grid[2] && launch.block[0] - 1 < limits.block[0] &&
                    launch.block[1] - 1 < limits.block[1] && launch.block[2] - 1 < limits.block[2] &&
                    threads <= limits.threads_per_block && launch.shared_bytes <= limits.shared_bytes;
  GB_CHECK_OR_THROW(
      fits, ValueError,
      .what = fmt::format("kernel {} cannot be launched: {}", kernel_name(launch), fault(launch, limits)),
      .cause = fmt::format("{}:{}: {}", launch.file, launch.line, configuration(launch)),
      .repair =
          "give each block less to do and the grid more of them, or let a thread do several elements; "
          "for empty work launch nothing",
      .chapter = chapters::kKernels);
}

}  // namespace gb::cuda
