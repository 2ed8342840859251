#include "core/allocator.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include "core/error.h"

using namespace gb;

#ifdef __SANITIZE_ADDRESS__
constexpr bool kKeepsBlocks = false;  // so that use after free is found
#else
constexpr bool kKeepsBlocks = true;
#endif

TEST_CASE("allocator: aligned blocks, null for nothing") {
  CHECK(GetCPUAllocator()->allocate(0).get() == nullptr);
  for (size_t n : {1, 63, 64, 65, 1000, 1 << 20}) {
    const DataPtr p = GetCPUAllocator()->allocate(n);
    CHECK(reinterpret_cast<uintptr_t>(p.get()) % 64 == 0);
    static_cast<char*>(p.get())[n - 1] = 1;  // all of it is ours
    CHECK(p.device() == Device(kCPU));
  }
}

TEST_CASE("allocator: a freed block serves the next request of its size class") {
  cpu_allocator_empty_cache();
  const AllocatorStats before = cpu_allocator_stats();
  void* first;
  {
    const DataPtr p = GetCPUAllocator()->allocate(5000);
    first = p.get();
    CHECK(cpu_allocator_stats().in_use == before.in_use + 8192);
  }
  CHECK(cpu_allocator_stats().in_use == before.in_use);
  const DataPtr again = GetCPUAllocator()->allocate(8192);  // the same class of 2^13 bytes
  const AllocatorStats after = cpu_allocator_stats();
  if (kKeepsBlocks) {
    CHECK(again.get() == first);
    CHECK(after.reused == before.reused + 1);
    CHECK(after.from_system == before.from_system + 1);
  } else {
    CHECK(after.from_system == before.from_system + 2);
  }
}

TEST_CASE("allocator: the cache can be given back") {
  { const DataPtr p = GetCPUAllocator()->allocate(100000); }
  if (kKeepsBlocks) CHECK(cpu_allocator_stats().cached > 0);
  cpu_allocator_empty_cache();
  CHECK(cpu_allocator_stats().cached == 0);
}

TEST_CASE("allocator: a moved DataPtr frees once") {
  const size_t before = cpu_allocator_stats().in_use;
  {
    DataPtr a = GetCPUAllocator()->allocate(64);
    DataPtr b = std::move(a);
    CHECK_FALSE(static_cast<bool>(a));
    a = std::move(b);
    a.clear();
    CHECK(cpu_allocator_stats().in_use == before);
  }
  CHECK(cpu_allocator_stats().in_use == before);
}

TEST_CASE("allocator: too much is an error with the number of bytes") {
  std::string message;
  try {
    GetCPUAllocator()->allocate(std::numeric_limits<size_t>::max());
  } catch (const OutOfMemoryError& e) {
    message = e.what_without_backtrace();
  }
  CHECK(message.find("CPU allocator: out of memory\n  cause:   a tensor asked for 18446744073709551615 bytes") == 0);
}

TEST_CASE("allocator: threads allocate and free at once") {
  const size_t before = cpu_allocator_stats().in_use;
  std::vector<std::thread> threads;
  std::vector<int> corrupted(4, 0);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t, &corrupted] {
      for (int i = 0; i < 2000; ++i) {
        const DataPtr p = GetCPUAllocator()->allocate(static_cast<size_t>(64 + i % 500));
        auto* mine = static_cast<volatile int*>(p.get());
        *mine = t;
        corrupted[static_cast<size_t>(t)] += *mine != t;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(corrupted == std::vector<int>(4, 0));
  CHECK(cpu_allocator_stats().in_use == before);
}
