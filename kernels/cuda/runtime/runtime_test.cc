// The CUDA runtime: what it says without a GPU. With one: gpu_runtime_test.
#include "kernels/cuda/runtime/runtime.h"

#include <doctest/doctest.h>

#include <string>

#include "core/device_hooks.h"
#include "core/error.h"
#include "kernels/cuda/check.h"
#include "tests/skip.h"

using namespace gb;
using namespace gb::cuda;

namespace {
constexpr Device kDevice(kCUDA, 0);
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
        "  chapter: docs/en/theory/04-kernels.md#kernels");
  CHECK_THROWS_AS(GB_CUDA_CHECK(cudaErrorNoDevice), NotImplementedError);
  CHECK_NOTHROW(GB_CUDA_CHECK(cudaSuccess));
}

TEST_CASE("without a GPU: no devices, and errors that say why") {
  if (why_unavailable().empty()) GB_SKIP("this machine has a GPU");
  CHECK(why_unavailable().find("no GPU: ") == 0);
  CHECK(device_count() == 0);
  CHECK_FALSE(is_available());
  CHECK(device_hooks(kCUDA)->pinned_allocator() == nullptr);
  CHECK_FALSE(device_hooks(kCUDA)->is_pinned(&kDevice));
  std::string message;
  try {
    allocator_for(kDevice);
  } catch (const NotImplementedError& e) {
    message = e.what_without_backtrace();
  }
  INFO(message);
  CHECK(message.find(why_unavailable()) != std::string::npos);
}
