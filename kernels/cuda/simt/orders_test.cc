// A result that depends on the order of threads is found, and the message names the first element.
#include "kernels/cuda/simt/orders.h"

#include <doctest/doctest.h>

#include <numeric>

#include "core/error.h"
#include "kernels/cuda/launch.h"

namespace {

using gb::simt::in_every_order;

constexpr gb::cuda::StreamHandle kStream = nullptr;

// Reverses data within a block of 64.
__global__ void reverse_kernel(int* data, bool with_barrier) {
  __shared__ int copy[64];
  copy[threadIdx.x] = data[threadIdx.x];
  if (with_barrier) __syncthreads();
  data[threadIdx.x] = copy[63 - threadIdx.x];
}

__global__ void sum_kernel(float* sum, const float* terms) { atomicAdd(sum, terms[threadIdx.x]); }
__global__ void last_kernel(int* last) { *last = static_cast<int>(blockIdx.x); }

std::vector<int> reversed(bool with_barrier) {
  std::vector<int> data(64);
  std::iota(data.begin(), data.end(), 100);
  GB_LAUNCH((reverse_kernel), 1, 64, 0, kStream, data.data(), with_barrier);
  return data;
}

template <class Run>
std::string error_of(Run run) {
  try {
    in_every_order(run);
  } catch (const gb::Error& e) {
    return e.what_without_backtrace();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a kernel with its barrier gives the same in every order") {
  std::vector<int> want(64);
  std::iota(want.rbegin(), want.rend(), 100);
  CHECK(in_every_order([] { return reversed(true); }) == want);
}

TEST_CASE("without the barrier: the first element that differs, in both orders") {
  // Forwards, thread 0 reads what thread 63 has not written yet: the bytes 0xff with which a block begins,
  // not the right values that the case above has left. In reverse it is the last to run.
  CHECK(error_of([] { return reversed(false); }) ==
        "simt: the result depends on the order of threads\n"
        "  cause:   element 0 of 64 is -1 in forward order and 163 in reverse order; 63 others differ\n"
        "  repair:  look for a missing __syncthreads() or __syncwarp(), or a float atomicAdd; the thread "
        "sanitizer names both lines (kernels/cuda/simt/README.md)\n"
        "  chapter: docs/en/theory/04-kernels.md#kernels");
}

TEST_CASE("a sum of floats by atomicAdd, and blocks that write one cell") {
  const std::vector<float> terms = {1, 1e8f, -1e8f};
  const std::string sum = error_of([&] {
    std::vector<float> out(1, 0);
    GB_LAUNCH((sum_kernel), 1, 3, 0, kStream, out.data(), terms.data());
    return out;
  });
  CHECK(sum.find("element 0 of 1 is 0 in forward order and 1 in reverse order") != std::string::npos);
  const std::string last = error_of([] {
    std::vector<int> out(1, 0);
    GB_LAUNCH((last_kernel), 4, 32, 0, kStream, out.data());
    return out;
  });
  CHECK(last.find("element 0 of 1 is 3 in forward order and 0 in reverse order; 0 others differ") !=
        std::string::npos);
}

TEST_CASE("a result of another length, and the order is back afterwards") {
  size_t runs = 0;
  CHECK(error_of([&] {
          return std::vector<int>(++runs);
        }).find("1 elements in forward order, 2 in reverse") != std::string::npos);
  CHECK(gb::simt::options().order == gb::simt::Order::Forward);
}
