// The SIMT runner on faulty kernels: each fault is found, and the message names the kernel, the lines and the
// threads. The kernels' lines matter: they stand in the expected texts through the constants beside them.
#include <doctest/doctest.h>

#include <string>

#include "core/error.h"
#include "kernels/cuda/launch.h"

namespace {

constexpr gb::cuda::StreamHandle kStream = nullptr;
constexpr const char* kFile = __builtin_FILE();

// The line numbers count here:
// clang-format off
constexpr int kTwoBarriers = __LINE__ + 2;
__global__ void two_barriers_kernel() {
  if (threadIdx.x < 32) __syncthreads();
  else
    __syncthreads();
}

constexpr int kEarlyReturn = __LINE__ + 3;
__global__ void early_return_kernel(int n) {
  if (static_cast<int>(threadIdx.x) >= n) return;
  __syncthreads();
}

constexpr int kHalfWarp = __LINE__ + 2;
__global__ void half_warp_kernel(int* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, 1, 1);
  __syncthreads();
}

constexpr int kOutside = __LINE__ + 2;
__global__ void outside_mask_kernel() {
  if (threadIdx.x < 2) __syncwarp(1u);
}

constexpr int kDifferent = __LINE__ + 2;
__global__ void different_operations_kernel(int* out) {
  if (threadIdx.x % 2) out[0] = __shfl_sync(0xffffffffu, 1, 0);
  else __syncwarp();
}

constexpr int kShort = __LINE__ + 2;
__global__ void short_warp_kernel(int* out) {
  out[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 20);
}

constexpr int kWidth = __LINE__ + 2;
__global__ void width_kernel(int* out) {
  out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, 1, 1, 12);
}

constexpr int kActive = __LINE__ + 2;
__global__ void active_kernel(unsigned* out) {
  if (threadIdx.x < 5) out[0] = __activemask();
}

constexpr int kVote = __LINE__ + 2;
__global__ void vote_kernel(int* out) {
  if (threadIdx.x != 9) out[0] = __any_sync(0xffffffffu, 1);
}

// clang-format on

__global__ void empty_kernel() {}
__global__ void nested_kernel() { GB_LAUNCH((empty_kernel), 1, 1, 0, kStream); }

template <class Launch>
std::string error_of(Launch launch) {
  try {
    launch();
  } catch (const gb::Error& e) {
    return e.what_without_backtrace();
  }
  return "no error";
}

std::string place(int line) { return std::string(kFile) + ":" + std::to_string(line); }
bool has(const std::string& text, const std::string& part) {
  INFO("looking for \"" << part << "\" in:\n" << text);
  const bool found = text.find(part) != std::string::npos;
  CHECK(found);
  return found;
}

}  // namespace

TEST_CASE("threads at two different barriers: the whole message") {
  CHECK(error_of([] { GB_LAUNCH((two_barriers_kernel), 1, 64, 0, kStream); }) ==
        "simt: kernel two_barriers_kernel: threads of one block wait at different barriers\n"
        "  cause:   block (0,0,0): threads 0-31 waiting at " +
            place(kTwoBarriers) + " (__syncthreads); threads 32-63 waiting at " + place(kTwoBarriers + 2) +
            " (__syncthreads)\n"
            "  repair:  move __syncthreads() out of the branch, so that all threads of the block reach the "
            "same one\n"
            "  chapter: docs/en/theory/04-kernels.md#kernels");
}

TEST_CASE("a barrier after an early return, and the switch that allows it") {
  const auto launch = [] { GB_LAUNCH((early_return_kernel), 1, 40, 0, kStream, 37); };
  const std::string message = error_of(launch);
  has(message, "kernel early_return_kernel: a barrier comes after some threads have returned");
  has(message, "threads 0-36 waiting at " + place(kEarlyReturn) + " (__syncthreads); threads 37-39 returned");
  gb::simt::options().tolerate_exited = true;
  CHECK(error_of(launch) == "no error");
  gb::simt::options().tolerate_exited = false;
}

TEST_CASE("a shuffle with the full mask in divergent code") {
  int out[32];
  const std::string message = error_of([&] { GB_LAUNCH((half_warp_kernel), 1, 32, 0, kStream, out); });
  has(message, "kernel half_warp_kernel: not every lane of its mask reaches a warp operation");
  has(message, "threads 0-15 waiting at " + place(kHalfWarp) + " (__shfl_xor_sync, mask 0xffffffff)");
  has(message, "threads 16-31 waiting at " + place(kHalfWarp + 1) + " (__syncthreads)");
}

TEST_CASE("lanes of one warp in different operations") {
  int out[1];
  const std::string message =
      error_of([&] { GB_LAUNCH((different_operations_kernel), 1, 4, 0, kStream, out); });
  has(message, "not every lane of its mask");
  has(message, "threads 0,2 waiting at " + place(kDifferent + 1) + " (__syncwarp, mask 0xffffffff)");
  has(message, "threads 1,3 waiting at " + place(kDifferent) + " (__shfl_sync, mask 0xffffffff)");
}

TEST_CASE("a lane outside its own mask") {
  const std::string message = error_of([] { GB_LAUNCH((outside_mask_kernel), 1, 32, 0, kStream); });
  has(message, "kernel outside_mask_kernel: a lane calls __syncwarp with a mask that leaves it out");
  has(message, place(kOutside) + ": thread 1 is lane 1, the mask is 0x00000001");
}

TEST_CASE("a value read from a lane that is not there") {
  int out[16];
  const std::string message = error_of([&] { GB_LAUNCH((short_warp_kernel), 1, 16, 0, kStream, out); });
  has(message, "kernel short_warp_kernel: __shfl_sync reads a lane that gave no value");
  has(message, place(kShort) + ": lane 0 (thread 0) reads lane 20");
}

TEST_CASE("a width that is no power of two") {
  int out[32];
  has(error_of([&] { GB_LAUNCH((width_kernel), 1, 32, 0, kStream, out); }),
      place(kWidth) + ": width 12 is not");
}

TEST_CASE("__activemask is refused, and the message says what to write in its place") {
  unsigned out = 0;
  const std::string message = error_of([&] { GB_LAUNCH((active_kernel), 1, 32, 0, kStream, &out); });
  has(message, "kernel active_kernel: __activemask() has no one answer");
  has(message, place(kActive) + ": it tells");
  has(message, "__ballot_sync(0xffffffff, condition)");
}

TEST_CASE("a vote that one lane misses") {
  int out = 0;
  const std::string message = error_of([&] { GB_LAUNCH((vote_kernel), 1, 32, 0, kStream, &out); });
  has(message,
      "threads 0-8,10-31 waiting at " + place(kVote) + " (__any_sync, mask 0xffffffff); thread 9 returned");
}

TEST_CASE("a launch that a GPU would refuse, and a launch inside a kernel") {
  has(error_of([] { GB_LAUNCH((empty_kernel), 1, 1025, 0, kStream); }), "block has 1025 threads in x");
  has(error_of([] { GB_LAUNCH((empty_kernel), 0, 32, 0, kStream); }),
      "kernel empty_kernel cannot be launched: its grid has no block in x");
  has(error_of([] { GB_LAUNCH((empty_kernel), 1, 32, 227 * 1024 + 1, kStream); }), "232449 bytes of shared");
  CHECK(error_of([] { GB_LAUNCH((empty_kernel), 1, 32, 227 * 1024, kStream); }) == "no error");
  has(error_of([] { GB_LAUNCH((nested_kernel), 1, 1, 0, kStream); }),
      "kernel empty_kernel is launched while another one runs");
  CHECK(error_of([] { GB_LAUNCH((empty_kernel), 1, 1, 0, kStream); }) == "no error");
}
