// The SIMT runner on good kernels: indices, barriers, shared memory, warp operations, orders, exceptions.
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "core/error.h"
#include "kernels/cuda/launch.h"

namespace {

using gb::simt::options;
using gb::simt::Order;

constexpr gb::cuda::StreamHandle kStream = nullptr;

__global__ void indices_kernel(int* seen, int width) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
            y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  seen[y * width + x] += 1 + static_cast<int>(threadIdx.z) + static_cast<int>(blockIdx.z) * 10;
}

// A tree sum over a block with static shared memory; alignas first, as the rule is.
template <int kSize>
__global__ void tree_kernel(float* out, const float* in) {
  alignas(16) __shared__ float partial[kSize];
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * kSize + t];
  __syncthreads();
  for (unsigned half = kSize / 2; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

__global__ void reverse_kernel(double* data) {  // dynamic shared memory
  GB_EXTERN_SHARED(double, copy);
  copy[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = copy[blockDim.x - 1 - threadIdx.x];
}

__global__ void forgotten_barrier_kernel(int* data) {
  __shared__ int copy[64];
  copy[threadIdx.x] = data[threadIdx.x];
  data[threadIdx.x] = copy[63 - threadIdx.x];  // a __syncthreads() is missing above
}

__global__ void warp_kernel(int* out) {  // out: [9, 64]
  const int t = static_cast<int>(threadIdx.x), lane = t % 32;
  const unsigned all = 0xffffffffu;
  int sum = lane;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(all, sum, step);
  out[0 * 64 + t] = sum;
  out[1 * 64 + t] = __shfl_down_sync(all, lane, 4);
  out[2 * 64 + t] = __shfl_up_sync(all, lane, 4);
  out[3 * 64 + t] = __shfl_sync(all, lane, 7);
  out[4 * 64 + t] = __shfl_down_sync(all, lane, 3, 8);  // groups of 8 lanes
  out[5 * 64 + t] = static_cast<int>(__ballot_sync(all, lane % 2));
  out[6 * 64 + t] = __any_sync(all, t == 40);
  out[7 * 64 + t] = __all_sync(all, lane < 32);
  if (lane < 16) out[8 * 64 + t] = __shfl_xor_sync(0x0000ffffu, lane, 1);
  __syncwarp();
}

__global__ void count_kernel(int* counter, double* total) {
  const int before = atomicAdd(counter, 1);
  atomicAdd(total, static_cast<double>(before));
}

__global__ void throwing_kernel() {
  __syncthreads();
  if (threadIdx.x == 3) throw std::runtime_error("from thread 3");
  __syncthreads();
}

__global__ void order_kernel(std::vector<unsigned>* order) {
  order->push_back(blockIdx.x * 100 + threadIdx.x);
}

template <int A, int B>
__global__ void comma_kernel(int* out) {
  *out = A * 10 + B;
}

std::vector<unsigned> order_of(Order order, uint64_t seed) {
  options().order = order;
  options().seed = seed;
  std::vector<unsigned> seen;
  GB_LAUNCH((order_kernel), 2, 3, 0, kStream, &seen);
  options() = {};
  return seen;
}

}  // namespace

TEST_CASE("every thread of every block runs once, with its own indices") {
  std::vector<int> seen(6 * 4, 0);  // 3x2 blocks of 2x2 threads, two deep in grid and block: (1+2) + (11+12)
  GB_LAUNCH((indices_kernel), dim3(3, 2, 2), dim3(2, 2, 2), 0, kStream, seen.data(), 6);
  CHECK(seen == std::vector<int>(24, 26));
}

TEST_CASE("barriers and shared memory, static and dynamic, in every order") {
  for (Order order : {Order::Forward, Order::Reverse, Order::Random}) {
    options().order = order;
    std::vector<float> in(512), out(2);
    for (size_t i = 0; i < 512; ++i) in[i] = static_cast<float>(i);
    GB_LAUNCH((tree_kernel<256>), 2, 256, 0, kStream, out.data(), in.data());
    CHECK(out == std::vector<float>{32640, 98176});
    std::vector<double> data = {1, 2, 3, 4, 5};
    GB_LAUNCH((reverse_kernel), 1, 5, 5 * sizeof(double), kStream, data.data());
    CHECK(data == std::vector<double>{5, 4, 3, 2, 1});
  }
  options() = {};
}

TEST_CASE("a missing barrier shows as results that depend on the order") {
  std::vector<std::vector<int>> results;
  for (Order order : {Order::Forward, Order::Reverse}) {
    options().order = order;
    std::vector<int> data(64);
    for (int i = 0; i < 64; ++i) data[static_cast<size_t>(i)] = i;
    GB_LAUNCH((forgotten_barrier_kernel), 1, 64, 0, kStream, data.data());
    results.push_back(data);
  }
  options() = {};
  CHECK(results[0] != results[1]);
}

TEST_CASE("warp operations") {
  for (Order order : {Order::Forward, Order::Reverse, Order::Random}) {
    options().order = order;
    std::vector<int> out(9 * 64, -1);
    GB_LAUNCH((warp_kernel), 1, 64, 0, kStream, out.data());
    const auto at = [&](size_t row, size_t t) { return out[row * 64 + t]; };
    for (size_t t = 0; t < 64; ++t) {
      const int lane = static_cast<int>(t % 32);
      CHECK(at(0, t) == 496);                                // 0 + 1 + ... + 31
      CHECK(at(1, t) == (lane + 4 < 32 ? lane + 4 : lane));  // past the end: one's own value
      CHECK(at(2, t) == (lane >= 4 ? lane - 4 : lane));
      CHECK(at(3, t) == 7);
      CHECK(at(4, t) == (lane % 8 + 3 < 8 ? lane + 3 : lane));
      CHECK(static_cast<unsigned>(at(5, t)) == 0xaaaaaaaau);
      CHECK(at(6, t) == (t >= 32));  // thread 40 is in the second warp
      CHECK(at(7, t) == 1);
      CHECK(at(8, t) == (lane < 16 ? (lane ^ 1) : -1));
    }
  }
  options() = {};
}

TEST_CASE("atomicAdd returns the old value") {
  int counter = 0;
  double total = 0;
  GB_LAUNCH((count_kernel), 3, 10, 0, kStream, &counter, &total);
  CHECK(counter == 30);
  CHECK(total == 435);  // 0 + 1 + ... + 29
}

TEST_CASE("an exception in a kernel comes out of the launch, and the next launch works") {
  CHECK_THROWS_WITH_AS(GB_LAUNCH((throwing_kernel), 1, 8, 0, kStream), "from thread 3", std::runtime_error);
  int out = 0;
  GB_LAUNCH((comma_kernel<4, 2>), 1, 1, 0, kStream, &out);
  CHECK(out == 42);
}

TEST_CASE("the order of threads and blocks is chosen, and a seed repeats it") {
  CHECK(order_of(Order::Forward, 1) == std::vector<unsigned>{0, 1, 2, 100, 101, 102});
  CHECK(order_of(Order::Reverse, 1) == std::vector<unsigned>{102, 101, 100, 2, 1, 0});
  CHECK(order_of(Order::Random, 5) == order_of(Order::Random, 5));
  bool differs = false;
  for (uint64_t seed = 0; seed < 8; ++seed)
    differs |= order_of(Order::Random, seed) != order_of(Order::Random, 5);
  CHECK(differs);
}

namespace {
template <int kSize>
__global__ void begins_kernel(unsigned* first, unsigned* constant) {
  __shared__ unsigned tile[kSize];
  static const unsigned kTable[2] = {3, 4};  // not shared memory
  const auto read = [&](unsigned i) { return tile[i]; };
  first[blockIdx.x] = read(kSize - 1);
  constant[blockIdx.x] = kTable[blockIdx.x];
  tile[kSize - 1] = 7;
}
}  // namespace

TEST_CASE("static shared memory begins with the bytes 0xff in every block, in every instance of a template") {
  std::vector<unsigned> first(2), constant(2);
  GB_LAUNCH((begins_kernel<5>), 2, 1, 0, kStream, first.data(), constant.data());
  CHECK(first == std::vector<unsigned>(2, 0xffffffffu));
  CHECK(constant == std::vector<unsigned>{3, 4});
  GB_LAUNCH((begins_kernel<9>), 2, 1, 0, kStream, first.data(), constant.data());
  CHECK(first == std::vector<unsigned>(2, 0xffffffffu));
}
