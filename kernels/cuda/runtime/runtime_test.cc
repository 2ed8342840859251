// The CUDA runtime: what it says without a GPU, and memory, copies and streams with one.
#include "kernels/cuda/runtime/runtime.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/device_hooks.h"
#include "core/error.h"
#include "kernels/cuda/check.h"
#include "kernels/cuda/runtime/caching_allocator.h"
#include "tests/skip.h"

using namespace gb;
using namespace gb::cuda;

namespace {
constexpr Device kDevice(kCUDA, 0);
}

TEST_CASE("request sizes are rounded so that blocks fit again") {
  CHECK(rounded_size(1) == 512);
  CHECK(rounded_size(512) == 512);
  CHECK(rounded_size(513) == 1024);
  CHECK(rounded_size(1 << 20) == 1 << 20);
  CHECK(rounded_size((1 << 20) + 1) == 2 << 20);
  CHECK(rounded_size((4 << 20) + 1) == 6 << 20);
}

TEST_CASE("GB_CUDA_CHECK: the error's name, the call, and the kind") {
  std::string message;
  try {
    GB_CUDA_CHECK(cudaErrorMemoryAllocation);
  } catch (const OutOfMemoryError& e) {
    message = e.what_without_backtrace();
  }
  CHECK(message ==
        "CUDA error: cudaErrorMemoryAllocation\n"
        "  cause:   cudaErrorMemoryAllocation: out of memory (code 2)\n"
        "  repair:  free tensors, call gb::cuda::empty_cache, or use smaller ones\n"
        "  chapter: docs/en/theory/00-motivation.md#kernels");
  CHECK_THROWS_AS(GB_CUDA_CHECK(cudaErrorNoDevice), NotImplementedError);
  CHECK_NOTHROW(GB_CUDA_CHECK(cudaSuccess));
}

TEST_CASE("without a GPU: no devices, and errors that say why") {
  if (why_unavailable().empty()) GB_SKIP("this machine has a GPU");
  CHECK(why_unavailable().find("no GPU: ") == 0);
  CHECK(device_count() == 0);
  CHECK_FALSE(is_available());
  std::string message;
  try {
    allocator_for(kDevice);
  } catch (const NotImplementedError& e) {
    message = e.what_without_backtrace();
  }
  INFO(message);
  CHECK(message.find(why_unavailable()) != std::string::npos);
}

TEST_CASE("with a GPU: memory is reused, copies arrive, streams order") {
  if (!why_unavailable().empty()) GB_SKIP(why_unavailable());
  DeviceHooks& hooks = *device_hooks(kCUDA);
  CHECK(device_count() >= 1);
  MESSAGE(hooks.describe(kDevice));
  Allocator* allocator = allocator_for(kDevice);
  CHECK(allocator->allocate(0).get() == nullptr);

  void* first = nullptr;
  {
    DataPtr block = allocator->allocate(1000);
    first = block.get();
    CHECK(allocator_stats(0).in_use == 1024);
  }
  CHECK(allocator_stats(0).cached == 1024);
  DataPtr again = allocator->allocate(600);
  CHECK(again.get() == first);
  CHECK(allocator_stats(0).reused == 1);

  std::vector<int> sent(250, 42), received(250, 0);
  DataPtr other = allocator->allocate(1000);
  hooks.copy(again.get(), kDevice, sent.data(), kCPU, 1000);
  sent.assign(250, 0);  // the bytes are on their way already
  hooks.copy(other.get(), kDevice, again.get(), kDevice, 1000);
  hooks.copy(received.data(), kCPU, other.get(), kDevice, 1000);
  CHECK(received == std::vector<int>(250, 42));

  {
    StreamGuard guard;
    CHECK(current_stream() != nullptr);
    DataPtr on_stream = allocator->allocate(1000);
    hooks.copy(on_stream.get(), kDevice, other.get(), kDevice, 1000);
    received.assign(250, 0);
    hooks.copy(received.data(), kCPU, on_stream.get(), kDevice, 1000);
    CHECK(received == std::vector<int>(250, 42));
  }
  CHECK(current_stream() == nullptr);
  empty_cache(0);
  CHECK(allocator_stats(0).cached == 0);
  CHECK_THROWS_AS(allocator->allocate(size_t{1} << 50), OutOfMemoryError);
  CHECK(allocator->allocate(1000).get() != nullptr);  // still works
  CHECK_THROWS_AS(allocator_for(Device(kCUDA, 100)), NotImplementedError);
}
