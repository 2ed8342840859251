// Heap bytes per recorded mul: at most half of LibTorch's. The classes behind it: none larger than LibTorch's.
#include <doctest/doctest.h>
#include <malloc.h>

#include <functional>

#include "bench/heap_cases.h"

namespace gb::bench {
namespace {

constexpr int64_t kLength = 10000;

// Bytes that malloc has given out and that `made` holds, per product of the chain. What each library allocates once is
// allocated by a first, short chain.
double bytes_per_product(const std::function<std::shared_ptr<void>(int64_t)>& chain) {
  chain(100);
  const size_t before = mallinfo2().uordblks;
  const std::shared_ptr<void> made = chain(kLength);
  return static_cast<double>(mallinfo2().uordblks - before) / kLength;
}

TEST_CASE("a recorded mul keeps at most half of what LibTorch's keeps") {
  const double ours = bytes_per_product(our_chain), theirs = bytes_per_product(libtorch_chain);
  MESSAGE("bytes per recorded mul: ", ours, ", LibTorch ", theirs, ", ratio ", ours / theirs);
  CHECK(ours > 100);  // a node is there
  CHECK(ours <= 0.5 * theirs);
}

TEST_CASE("no class is larger than LibTorch's") {
  const Sizes ours = our_sizes(), theirs = libtorch_sizes();
  MESSAGE("TensorImpl ", ours.tensor_impl, " / ", theirs.tensor_impl, ", AutogradMeta ", ours.autograd_meta, " / ",
          theirs.autograd_meta, ", Node ", ours.node, " / ", theirs.node, ", SavedVariable ", ours.saved_variable, " / ",
          theirs.saved_variable);
  CHECK(ours.tensor_impl <= theirs.tensor_impl);
  CHECK(ours.autograd_meta <= theirs.autograd_meta);
  CHECK(ours.node <= theirs.node);
  CHECK(ours.saved_variable <= theirs.saved_variable);
}

}  // namespace
}  // namespace gb::bench
