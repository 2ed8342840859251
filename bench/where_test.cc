#include "bench/where.h"

#include <doctest/doctest.h>

namespace gb::bench {
namespace {

TEST_CASE("functions of both libraries are sorted into the same parts") {
  CHECK(part_of("free") == "malloc and free");
  CHECK(part_of("_int_free") == "malloc and free");
  CHECK(part_of("c10::free_cpu(void*)") == "allocator above malloc");
  CHECK(part_of("gb::(anonymous namespace)::CachingAllocator::allocate(unsigned long)") ==
        "allocator above malloc");
  CHECK(part_of("at::TensorIteratorBase::build(at::TensorIteratorConfig&)") == "TensorIterator");
  CHECK(part_of("at::_ops::add_Tensor::call(at::Tensor const&, at::Tensor const&, c10::Scalar const&)") ==
        "dispatch");
  CHECK(part_of("gb::Tensor::add(gb::Tensor const&, gb::Scalar const&) const") == "dispatch");
  CHECK(part_of("gb::autograd::(anonymous namespace)::add_autograd(gb::DispatchKeySet, ...)") ==
        "autograd and views");
  CHECK(part_of("main") == "other");
}

TEST_CASE("the table divides by the number of calls, largest part of the peer first") {
  const Count ours{120, {{"free", 20}, {"main", 100}}}, peer{1000, {{"free", 900}, {"__tls_get_addr", 100}}};
  CHECK(parts_table(ours, peer, 10, "LibTorch") ==
        "| part | LibTorch | glassbox |\n|---|---|---|\n"
        "| malloc and free | 90 | 2 |\n| finding thread-local variables | 10 | 0 |\n| other | 0 | 10 |\n"
        "| together, the measuring loop included | 100 | 12 |\n");
}

}  // namespace
}  // namespace gb::bench
