#include "core/kernel_launch.h"

#include <fmt/format.h>

namespace gb {

std::string kernel_name(const KernelLaunch& launch) {
  const std::string name = launch.kernel;
  return name.size() > 2 && name.front() == '(' && name.back() == ')' ? name.substr(1, name.size() - 2) : name;
}

std::string configuration(const KernelLaunch& launch) {
  return fmt::format("grid ({},{},{}), block ({},{},{}), {} bytes of shared memory", launch.grid[0], launch.grid[1],
                     launch.grid[2], launch.block[0], launch.block[1], launch.block[2], launch.shared_bytes);
}

}  // namespace gb
