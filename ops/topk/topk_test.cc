#include "ops/topk/topk.h"

#include <limits>

#include "autograd/node.h"
#include "ops/factories/tensor.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("topk: values and where they stand") {
  const Tensor x = tensor({3.0, 1.0, 2.0, 3.0, -5.0}, kDouble);
  const auto [values, indices] = x.topk(3);
  check_values(values, {3, 3, 2});
  check_values(indices, {0, 3, 2});
  CHECK((indices.scalar_type() == kLong));
  check_values(std::get<0>(x.topk(2, 0, /*largest=*/false)), {-5, 1});
  check_values(std::get<1>(ramp({3, 2}).topk(1, 0)), {2, 2});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  check_values(std::get<1>(tensor({1.0, nan, 2.0}, kDouble).topk(2)), {1, 2});
  const int64_t most = std::numeric_limits<int64_t>::max();  // not to be told apart as doubles
  check_values(std::get<1>(tensor({most - 1, most}, kLong).topk(1)), {1});
}

TEST_CASE("what it refuses, and its node") {
  CHECK(contains(message_of([] { ramp({3}).topk(4); }), "selected index k out of range"));
  CHECK(contains(message_of([] { ramp({3}).topk(-1); }), "selected index k out of range"));
  const Tensor x = ramp({2, 3}).requires_grad_();
  const auto [values, indices] = x.topk(1);
  CHECK(values.grad_fn()->name() == "TopkBackward0");
  CHECK(!indices.requires_grad());
  values.sum().backward();
  check_values(x.grad(), {0, 0, 1, 0, 0, 1});
}
