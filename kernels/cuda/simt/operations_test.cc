// The CUDA names that kernels use, one by one: reductions in a warp, atomics, vectors, bits, hints.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/cuda/launch.h"
#include "kernels/cuda/simt/orders.h"

namespace {

constexpr gb::cuda::StreamHandle kStream = nullptr;

// out: [10, 32]. The odd lanes do not take part in the rows 6 and 7.
__global__ void warp_reduce_kernel(int* out) {
  const unsigned all = 0xffffffffu, even = 0x55555555u, t = threadIdx.x;
  const int value = static_cast<int>(t) - 10;
  out[0 * 32 + t] = __reduce_add_sync(all, value);
  out[1 * 32 + t] = __reduce_min_sync(all, value);
  out[2 * 32 + t] = __reduce_max_sync(all, value);
  out[3 * 32 + t] =
      static_cast<int>(__reduce_max_sync(all, static_cast<unsigned>(value)));  // -1 is the largest
  out[4 * 32 + t] = static_cast<int>(__reduce_or_sync(all, 1u << t));
  out[5 * 32 + t] = static_cast<int>(__reduce_xor_sync(all, t));
  if (t % 2 == 0) {
    out[6 * 32 + t] = static_cast<int>(__reduce_and_sync(even, t | 0x100));
    out[7 * 32 + t] = static_cast<int>(__ballot_sync(even, t >= 16));
  }
  out[8 * 32 + t] = __reduce_add_sync(all, std::numeric_limits<int>::max());  // wraps, as on a GPU
  out[9 * 32 + t] = __shfl_sync(all, make_float2(static_cast<float>(t), 0).x, 3) == 3;
}

template <class T>
__global__ void atomics_kernel(T* cells, T* before) {
  __shared__ T total;
  const T t = static_cast<T>(threadIdx.x);
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  before[threadIdx.x] = atomicAdd(&total, 1);  // each number once
  atomicMax(&cells[1], t);
  atomicMin(&cells[2], t);
  atomicSub(&cells[3], 2);
  __syncthreads();
  if (threadIdx.x == 5) cells[4] = atomicExch(&cells[0], total);
  __syncthreads();
  atomicCAS(&cells[5], 0, t + 1);  // the first to come
}

__global__ void bits_kernel(unsigned* cells) {
  atomicOr(&cells[0], 1u << threadIdx.x);
  atomicAnd(&cells[1], ~(1u << threadIdx.x));
}

// A block's tile of 16-byte vectors in dynamic shared memory, handed to the next thread and stored with a
// hint.
template <class V>
__global__ void __launch_bounds__(64, 2) vector_kernel(V* out, const V* __restrict__ in) {
  GB_EXTERN_SHARED(V, tile);
  tile[threadIdx.x] = __ldg(in + threadIdx.x);
  __syncthreads();
  __stcs(out + threadIdx.x, tile[(threadIdx.x + 1) % blockDim.x]);
}

// Fills all of the launch's dynamic shared memory.
__global__ void big_kernel(long long* sum, int n) {
  GB_EXTERN_SHARED(int, tile);
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) tile[i] = i;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int i = 0; i < n; ++i) *sum += tile[i];
}

}  // namespace

TEST_CASE("reductions of a warp, and votes of a part of it") {
  gb::simt::for_every_order([](gb::simt::Order) {
    std::vector<int> out(320, -7);
    GB_LAUNCH((warp_reduce_kernel), 1, 32, 0, kStream, out.data());
    for (size_t t = 0; t < 32; ++t) {
      const auto at = [&](size_t row) { return out[row * 32 + t]; };
      CHECK(at(0) == 176);  // 0 + ... + 31, less 320
      CHECK(at(1) == -10);
      CHECK(at(2) == 21);
      CHECK(at(3) == -1);
      CHECK(static_cast<unsigned>(at(4)) == 0xffffffffu);
      CHECK(at(5) == 0);
      CHECK(at(6) == (t % 2 == 0 ? 0x100 : -7));
      CHECK(at(7) == (t % 2 == 0 ? 0x55550000 : -7));
      CHECK(at(8) == -32);
      CHECK(at(9) == 1);
    }
  });
}

TEST_CASE_TEMPLATE("atomics on shared and global memory", T, int, unsigned, long long, unsigned long long,
                   float, double) {
  gb::simt::for_every_order([](gb::simt::Order order) {
    std::vector<T> cells = {7, 40, 40, 500, 0, 0}, before(100);
    GB_LAUNCH((atomics_kernel<T>), 1, 100, 0, kStream, cells.data(), before.data());
    CHECK(cells[0] == 100);
    CHECK(cells[1] == 99);
    CHECK(cells[2] == 0);
    CHECK(cells[3] == 300);
    CHECK(cells[4] == 7);
    if (order == gb::simt::Order::Forward) CHECK(cells[5] == 1);
    std::vector<int> seen(100, 0);
    for (T b : before) ++seen[static_cast<size_t>(b)];
    CHECK(seen == std::vector<int>(100, 1));
  });
  std::vector<unsigned> bits = {0, 0xffffffffu};
  GB_LAUNCH((bits_kernel), 1, 20, 0, kStream, bits.data());
  CHECK(bits == std::vector<unsigned>{0x000fffffu, 0xfff00000u});
}

TEST_CASE_TEMPLATE("vectors of 16 bytes", V, float4, int4, uint4) {
  static_assert(sizeof(V) == 16 && alignof(V) == 16);
  std::vector<V> in(64), out(64);
  for (size_t i = 0; i < 64; ++i) {
    using T = decltype(V::x);
    const T t = static_cast<T>(i);
    in[i] = {t, t + 100, t + 200, t + 300};
  }
  GB_LAUNCH((vector_kernel<V>), 1, 64, 64 * sizeof(V), kStream, out.data(), in.data());
  for (size_t i = 0; i < 64; ++i) CHECK(memcmp(&out[i], &in[(i + 1) % 64], 16) == 0);
}

TEST_CASE("227 KiB of dynamic shared memory") {
  const size_t bytes = 227 * 1024;
  const long long n = static_cast<long long>(bytes / sizeof(int));
  long long sum = 0;
  GB_LAUNCH((big_kernel), 1, 128, bytes, kStream, &sum, static_cast<int>(n));
  CHECK(sum == n * (n - 1) / 2);
}

TEST_CASE("small functions") {
  CHECK(min(2, -3) == -3);
  CHECK(max(2u, 3u) == 3u);
  CHECK(max(NAN, 1.0f) == 1.0f);  // as CUDA's: the number wins over the NaN
  CHECK(min(1.0, static_cast<double>(NAN)) == 1.0);
  CHECK(rsqrtf(4) == 0.5f);
  CHECK(rsqrt(0.25) == 2.0);
  CHECK(__expf(1) == std::exp(1.0f));
  CHECK(__logf(3) == std::log(3.0f));
  CHECK(exp2f(3) == 8.0f);
  CHECK(__fdividef(1, 4) == 0.25f);
  CHECK(__fmaf_rn(2, 3, 4) == 10.0f);
  CHECK(__float_as_int(1.0f) == 0x3f800000);
  CHECK(__uint_as_float(__float_as_uint(-2.5f)) == -2.5f);
  CHECK(std::isinf(__int_as_float(0x7f800000)));
  CHECK(__longlong_as_double(__double_as_longlong(0.1)) == 0.1);
  CHECK(__float2int_rn(2.5f) == 2);  // ties to even
  CHECK(__popc(0xf0f0u) == 8);
  CHECK(__clz(1) == 31);
  CHECK(__ffs(0) == 0);
  CHECK(__ffs(8) == 4);
}
