#include "ops/rearrange/rearrange.h"

#include "autograd/node.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("flip and repeat") {
  const Tensor x = ramp({2, 3});
  check_values(x.flip({0}), {3, 4, 5, 0, 1, 2});
  check_values(x.flip({-1, 0}), {5, 4, 3, 2, 1, 0});
  check_values(x.t().flip({0}), {2, 5, 1, 4, 0, 3});
  CHECK((x.t().flip({0}).strides() == IntArrayRef{1, 3}));
  check_values(ramp({2}).repeat({2, 2}), {0, 1, 0, 1, 0, 1, 0, 1});
  CHECK((x.repeat({2, 1, 2}).sizes() == IntArrayRef{2, 2, 6}));
  CHECK(x.repeat({0, 1}).numel() == 0);
  CHECK(!x.repeat({1, 1}).is_alias_of(x));
}

TEST_CASE("what they refuse") {
  const Tensor x = ramp({2, 3});
  CHECK(contains(message_of([&] { x.flip({0, -2}); }), "dim 0 appears multiple times in the list of dims"));
  CHECK_THROWS_AS(x.flip({2}), IndexError);
  CHECK(
      contains(message_of([&] { x.repeat({2}); }), "Number of dimensions of repeat dims can not be smaller"));
  CHECK(contains(message_of([&] { x.repeat({1, -1}); }), "negative dimension -1"));
  CHECK(contains(message_of([&] {
                   x.repeat({1, int64_t{1} << 62});
                 }),
                 "Storage size calculation overflowed"));
}

TEST_CASE("names of nodes") {
  const Tensor x = ramp({2}).requires_grad_();
  CHECK(x.flip({0}).grad_fn()->name() == "FlipBackward0");
  CHECK(x.repeat({2}).grad_fn()->name() == "RepeatBackward0");
}
