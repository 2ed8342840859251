// The configuration of a launch against a device's limits.
#include "kernels/cuda/launch_limits.h"

#include <doctest/doctest.h>

#include "core/error.h"

using namespace gb;
using namespace gb::cuda;

namespace {

struct Dim {
  unsigned x, y = 1, z = 1;
};
constexpr LaunchLimits kHopper{1024, {1024, 1024, 64}, {0x7fffffff, 65535, 65535}, 232448};

std::string message(Dim grid, Dim block, size_t shared = 0) {
  try {
    check_launch_configuration(describe_launch("(scale<float>)", "k.cu", 12, grid, block, shared, nullptr),
                               kHopper);
  } catch (const ValueError& e) {
    return e.what_without_backtrace();
  }
  return "";
}

// The part of the first line that says what is wrong.
std::string fault(Dim grid, Dim block, size_t shared = 0) {
  const std::string text = message(grid, block, shared), start = "kernel scale<float> cannot be launched: ";
  if (!text.starts_with(start)) return text;
  return text.substr(start.size(), text.find('\n') - start.size());
}

}  // namespace

TEST_CASE("what fits passes, up to the limits themselves") {
  CHECK(message({1}, {1}) == "");
  CHECK(message({0x7fffffff, 65535, 65535}, {1024}, 232448) == "");
  CHECK(message({1}, {16, 16, 4}) == "");
}

TEST_CASE("what does not is an error that names the kernel and the number") {
  CHECK(message({4, 70000}, {256}, 512) ==
        "kernel scale<float> cannot be launched: its grid has 70000 blocks in y, the limit is 65535\n"
        "  cause:   k.cu:12: grid (4,70000,1), block (256,1,1), 512 bytes of shared memory\n"
        "  repair:  give each block less to do and the grid more of them, or let a thread do several "
        "elements; for "
        "empty work launch nothing\n"
        "  chapter: docs/en/theory/04-kernels.md#kernels");
  CHECK(fault({0}, {32}) == "its grid has no block in x");
  CHECK(fault({1, 1, 0}, {32}) == "its grid has no block in z");
  CHECK(fault({1}, {32, 0}) == "its block has no thread in y");
  CHECK(fault({0x80000000u}, {32}) == "its grid has 2147483648 blocks in x, the limit is 2147483647");
  CHECK(fault({1}, {2048}) == "its block has 2048 threads in x, the limit is 1024");
  CHECK(fault({1}, {1, 1, 65}) == "its block has 65 threads in z, the limit is 64");
  CHECK(fault({1}, {64, 32}) == "its block has 2048 threads, the limit is 1024");
  CHECK(fault({1}, {1024, 1024, 64}) == "its block has 67108864 threads, the limit is 1024");
  CHECK(fault({1}, {32}, 232449) == "it asks for 232449 bytes of shared memory, the limit is 232448");
}
