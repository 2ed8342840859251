#include "ops/triangle/triangle.h"

#include <limits>

#include "autograd/node.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("tril and triu") {
  const Tensor x = ramp({2, 3}).add(1);
  check_values(x.tril(), {1, 0, 0, 4, 5, 0});
  check_values(x.triu(), {1, 2, 3, 0, 5, 6});
  check_values(x.tril(1), {1, 2, 0, 4, 5, 6});
  check_values(x.triu(2), {0, 0, 3, 0, 0, 0});
  check_values(x.t().tril(-1), {0, 0, 2, 0, 3, 6});
  check_values(x.triu(std::numeric_limits<int64_t>::min()), {1, 2, 3, 4, 5, 6});
  check_values(x.triu(std::numeric_limits<int64_t>::max()), {0, 0, 0, 0, 0, 0});
  check_values(ramp({2, 2, 2}).add(1).triu(1), {0, 2, 0, 0, 0, 6, 0, 0});
  const Tensor y = ramp({3, 3});
  y.t().triu_();
  check_values(y, {0, 0, 0, 3, 4, 0, 6, 7, 8});
  CHECK(y._version() == 1);
}

TEST_CASE("what they refuse") {
  CHECK(contains(message_of([] { ramp({3}).tril(); }), "tril: input tensor must have at least 2 dimensions"));
  CHECK(contains(message_of([] {
                   ramp({1, 2}).expand({2, 2}).triu_();
                 }),
                 "more than one element of the written-to tensor"));
}

TEST_CASE("names of nodes") {
  const Tensor x = ramp({2, 2}).requires_grad_();
  CHECK(x.tril().grad_fn()->name() == "TrilBackward0");
  CHECK(x.mul(2).triu_().grad_fn()->name() == "TriuBackward0");
}
