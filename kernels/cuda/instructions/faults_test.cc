// Kernels that use the instructions wrongly, in ways that work on a GPU nearly always: the runner shows each.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/error.h"
#include "kernels/cuda/instructions/tma.h"
#include "kernels/cuda/instructions/wgmma.h"
#include "kernels/cuda/simt/orders.h"

using namespace gb::cuda;

namespace {

constexpr int kFloats = 256;
constexpr uint32_t kBytes = kFloats * sizeof(float);

// How a copy into shared memory is waited for.
enum class Wait { Right, None, Late, WrongPhase, TooManyBytes, TooFewBytes, NoInit, TooManyArrivals };

__global__ void copy_kernel(float* out, const float* in, Wait wait) {
  GB_EXTERN_SHARED(char, shared);
  auto* const barrier = reinterpret_cast<MBarrier*>(shared);
  auto* const buffer = reinterpret_cast<float*>(shared + 16);  // [kFloats]
  if (threadIdx.x == 0 && wait != Wait::NoInit) barrier->init(1);
  __syncthreads();
  if (threadIdx.x == 0) {
    barrier->arrive_expect_tx(wait == Wait::TooManyBytes  ? kBytes + 16
                              : wait == Wait::TooFewBytes ? kBytes / 2
                                                          : kBytes);
    bulk_load(buffer, in, kBytes, barrier);
    if (wait == Wait::TooManyArrivals) barrier->arrive();
  }
  if (wait == Wait::WrongPhase) barrier->wait(1);
  if (wait != Wait::None && wait != Wait::Late && wait != Wait::WrongPhase) barrier->wait(0);
  for (int i = static_cast<int>(threadIdx.x); i < kFloats; i += 32) out[i] = buffer[i];
  if (wait == Wait::Late || wait == Wait::WrongPhase) barrier->wait(0);
}

// Two pieces through one buffer. Without `waits` the second is fetched while the first may still be read.
__global__ void reuse_kernel(float* out, const float* in, bool waits) {
  GB_EXTERN_SHARED(char, shared);
  auto* const full = reinterpret_cast<MBarrier*>(shared);  // [2], of each piece
  MBarrier* const empty = full + 2;
  auto* const buffer = reinterpret_cast<float*>(shared + 32);  // [kFloats]
  if (threadIdx.x == 0) {
    full[0].init(1);
    full[1].init(1);
    empty->init(32);
  }
  __syncthreads();
  if (threadIdx.x == 32)
    for (int p = 0; p < 2; ++p) {
      if (waits) empty->wait(p % 2 ^ 1);
      if (p == 1) full[0].wait(0);
      full[p].arrive_expect_tx(kBytes);
      bulk_load(buffer, in + p * kFloats, kBytes, &full[p]);
    }
  if (threadIdx.x < 32)
    for (int p = 0; p < 2; ++p) {
      full[p].wait(0);
      for (int i = static_cast<int>(threadIdx.x); i < kFloats; i += 32) out[p * kFloats + i] = buffer[i];
      empty->arrive();
    }
}

// A buffer is stored, and written again at once or after bulk_wait_read.
enum class Store { Right, OverwrittenEarly, NotWaitedFor };
__global__ void store_kernel(float* out, Store store) {
  GB_EXTERN_SHARED(float, buffer);  // [4]
  for (int i = 0; i < 4; ++i) buffer[i] = static_cast<float>(i);
  fence_proxy_async();
  bulk_store(out, buffer, 16);
  bulk_commit();
  if (store == Store::Right) bulk_wait_read<0>();
  for (int i = 0; i < 4; ++i) buffer[i] = -1;
  if (store == Store::OverwrittenEarly) bulk_wait_read<0>();
}

enum class Multiply { Right, NoWait, OverwrittenEarly, NoFence, Misaligned, WrongStride, HalfOfTheThreads };

// out[64, 64] = a b^T with a and b of k = 16, both the same tile: rows of 32 bytes, row r all r / 8.
__global__ void wgmma_kernel(float* out, Multiply multiply) {
  GB_EXTERN_SHARED(char, shared);
  char* const tile = align_shared(shared, 1024);
  for (int r = static_cast<int>(threadIdx.x); r < 64; r += 128)
    for (int k = 0; k < 16; ++k) reinterpret_cast<Half*>(tile + 32 * r)[k] = Half(static_cast<float>(r) / 8);
  fence_proxy_async();
  __syncthreads();
  float d[32];
  const uint64_t descriptor = wgmma_descriptor(tile + (multiply == Multiply::Misaligned ? 32 : 0), Swizzle::Bytes32,
                                               0, multiply == Multiply::WrongStride ? 128 : 256);
  if (multiply == Multiply::HalfOfTheThreads && threadIdx.x >= 64) return;
  if (multiply != Multiply::NoFence) wgmma_fence();
  for (float& x : d) x = 0;
  wgmma<64, Half>(d, descriptor, descriptor, true);
  wgmma_commit();
  if (multiply != Multiply::NoWait && multiply != Multiply::OverwrittenEarly) wgmma_wait<0>();
  if (multiply == Multiply::OverwrittenEarly) {
    if (threadIdx.x == 0) reinterpret_cast<Half*>(tile)[0] = Half(1000.0f);
    wgmma_wait<0>();
  }
  for (int i = 0; i < 32; ++i) out[wgmma_row(i) * 64 + wgmma_column(i)] = d[i];
  wgmma_wait<0>();
}

std::vector<float> numbers(int n) {
  std::vector<float> values;
  for (int i = 0; i < n; ++i) values.push_back(static_cast<float>(i));
  return values;
}
std::vector<float> copied(Wait wait) {
  return gb::simt::in_every_order([&] {
    const std::vector<float> in = numbers(kFloats);
    std::vector<float> out(kFloats);
    GB_LAUNCH((copy_kernel), 1, 32, 16 + kBytes, nullptr, out.data(), in.data(), wait);
    return out;
  });
}
std::vector<float> reused(bool waits) {
  return gb::simt::in_every_order([&] {
    const std::vector<float> in = numbers(2 * kFloats);
    std::vector<float> out(2 * kFloats);
    GB_LAUNCH((reuse_kernel), 1, 64, 32 + kBytes, nullptr, out.data(), in.data(), waits);
    return out;
  });
}
std::vector<float> stored(Store store) {
  return gb::simt::in_every_order([&] {
    alignas(16) float out[4] = {};
    GB_LAUNCH((store_kernel), 1, 1, 16, nullptr, out, store);
    return std::vector<float>(out, out + 4);
  });
}
std::vector<float> multiplied(Multiply multiply) {
  return gb::simt::in_every_order([&] {
    std::vector<float> out(64 * 64);
    GB_LAUNCH((wgmma_kernel), 1, 128, 4096, nullptr, out.data(), multiply);
    return out;
  });
}
std::vector<float> product() {
  std::vector<float> want;
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j) want.push_back(16 * static_cast<float>(i) / 8 * static_cast<float>(j) / 8);
  return want;
}

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const gb::Error& e) {
    return e.what_without_backtrace();
  }
  return "no error";
}
bool has(const std::string& text, const std::string& part) {
  INFO("looking for \"" << part << "\" in:\n" << text);
  const bool found = text.find(part) != std::string::npos;
  CHECK(found);
  return found;
}

}  // namespace

TEST_CASE("rightly used they give the right result in every order") {
  CHECK(copied(Wait::Right) == numbers(kFloats));
  CHECK(reused(true) == numbers(2 * kFloats));
  CHECK(stored(Store::Right) == numbers(4));
  CHECK(multiplied(Multiply::Right) == product());
}

TEST_CASE("a copy that is read before it is waited for, or after a wait for the wrong phase") {
  has(error_of([] { copied(Wait::Late); }), "depends on the order of threads\n  cause:   element 0 of 256 is -nan");
  // Before the copy has come wait(1) passes, after it it waits for a phase that nobody begins.
  has(error_of([] { copied(Wait::WrongPhase); }), "thread 0 waiting at");
  has(error_of([] { copied(Wait::WrongPhase); }),
      "parity 1 of mbarrier at 1040, phase of parity 1: 1 of 1 arrivals");
}

TEST_CASE("a copy that nobody waits for") {
  const std::string error = error_of([] { copied(Wait::None); });
  has(error, "simt: kernel copy_kernel: a block ends before its work is done");
  has(error, "nobody waits for a bulk load of 1024 bytes started at");
}

TEST_CASE("bytes that are miscounted: the report says which are missing") {
  std::string error = error_of([] { copied(Wait::TooManyBytes); });
  has(error, "simt: kernel copy_kernel: threads wait for what nobody does any more");
  has(error, "threads 0-31 waiting at");
  has(error, "parity 0 of mbarrier at 1040, phase of parity 0: 0 of 1 arrivals and 16 bytes to come");
  error = error_of([] { copied(Wait::TooFewBytes); });
  has(error, "0 of 1 arrivals and -512 bytes to come");
}

TEST_CASE("arrivals that are miscounted, and a barrier that was not initialised") {
  has(error_of([] { copied(Wait::TooManyArrivals); }), "more arrivals at an mbarrier than it counts");
  has(error_of([] { copied(Wait::NoInit); }), "an mbarrier that was not initialised");
}

TEST_CASE("a buffer that is filled again while it is read") {
  has(error_of([] { reused(false); }), "depends on the order of threads");
}

TEST_CASE("a buffer that is written again while it is stored, and a store that nobody waits for") {
  has(error_of([] { stored(Store::OverwrittenEarly); }),
      "element 0 of 4 is -1 in forward order and 0 in reverse order");
  has(error_of([] { stored(Store::NotWaitedFor); }), "nobody waits for a bulk store of 16 bytes");
}

TEST_CASE("wgmma: accumulators read before the wait, a tile overwritten before it") {
  const std::vector<float> early = multiplied(Multiply::NoWait), want = product();
  CHECK(early[65] == 0);
  CHECK(early != want);
  CHECK(multiplied(Multiply::OverwrittenEarly)[1] == 1000.0f / 8);
}

TEST_CASE("wgmma: a wrong descriptor") {
  CHECK(multiplied(Multiply::WrongStride) != product());
  has(error_of([] { multiplied(Multiply::Misaligned); }), "a wgmma tile that is not aligned");
}

TEST_CASE("wgmma: without a fence, and without half of the warpgroup") {
  has(error_of([] { multiplied(Multiply::NoFence); }), "wgmma without wgmma_fence()");
  has(error_of([] { multiplied(Multiply::HalfOfTheThreads); }), "which 64 of 128 threads have started");
}
