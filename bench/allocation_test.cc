// What a call allocates, counted: malloc and everything that is built on it (operator new, aligned_alloc).
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>

#include "autograd/autograd.h"
#include "dispatcher/library.h"
#include "ops/ops.h"

extern "C" {
void* __libc_malloc(size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {
std::atomic<int> allocations = 0;
}

// glibc calls a program's own malloc instead of its own; __libc_malloc is the same allocator under another
// name.
extern "C" void* malloc(size_t nbytes) {
  ++allocations;
  return __libc_malloc(nbytes);
}
extern "C" void* aligned_alloc(size_t alignment, size_t nbytes) {
  ++allocations;
  return __libc_memalign(alignment, nbytes);
}

namespace gb {
namespace {

using Op = TypedOperatorHandle<Tensor(const Tensor&)>;

Tensor same(const Tensor& x) { return x; }

Op op(const char* name) {
  return Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Tensor(const Tensor&)>();
}

Tensor redispatching(DispatchKeySet ks, const Tensor& x) {
  static const Op below = op("allocation::redispatched");
  AutoDispatchBelowAutograd guard;
  return below.redispatch(ks & after_autograd_keyset, x);
}

GB_LIBRARY(allocation, m) {
  m.def("plain(Tensor x) -> Tensor");
  m.def("no_autograd(Tensor x) -> Tensor");
  m.def("redispatched(Tensor x) -> Tensor");
}
GB_LIBRARY_IMPL(allocation, CPU, m) {
  m.impl("plain", GB_FN(same));
  m.impl("no_autograd", GB_FN(same));
  m.impl("redispatched", GB_FN(same));
}
GB_LIBRARY_IMPL(allocation, Autograd, m) {
  m.impl("plain", CppFunction::makeFallthrough());
  m.impl("redispatched", GB_FN(redispatching));
}

// Allocations of the second of two equal calls: the first may fill lists and tables.
template <class Call>
int count(Call call) {
  call();
  const int before = allocations;
  call();
  return allocations - before;
}

// Keeps the compiler from leaving out an allocation whose result nobody sees.
void* seen(void* memory) {
  asm volatile("" : "+r"(memory)::"memory");
  return memory;
}

TEST_CASE("the counter counts") {
  CHECK(count([] { std::free(seen(std::malloc(10))); }) == 1);
  CHECK(count([] { ::operator delete(seen(::operator new(10))); }) == 1);
  CHECK(count([] { std::free(seen(std::aligned_alloc(64, 64))); }) == 1);
}

TEST_CASE("a typed call allocates nothing") {
  const Tensor x = ones({1});
  for (const char* name : {"allocation::plain", "allocation::no_autograd", "allocation::redispatched"}) {
    CAPTURE(name);
    const Op called = op(name);
    CHECK(count([&] { called.call(x); }) == 0);
  }
  // A boxed one makes its stack, in the block that the stack before it left.
  const Op boxed = op("allocation::plain");
  const auto call_boxed = [&] {
    Stack stack;
    stack.emplace_back(x);
    boxed.callBoxed(&stack);
  };
  call_boxed();
  CHECK(count(call_boxed) == 0);
}

TEST_CASE("a small operator on small tensors reuses what the one before it left") {
  const Tensor a = ones({1}), b = ones({1});
  CHECK(count([&] { empty({1}); }) == 0);
  CHECK(count([&] { a.add(b); }) == 0);
  CHECK(count([&] { a.view({1, 1}); }) == 0);
}

}  // namespace
}  // namespace gb
