#include "ops/scan/scan.h"

#include "autograd/node.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("cumsum along each dimension") {
  const Tensor x = ramp({2, 3});
  check_values(x.cumsum(0), {0, 1, 2, 3, 5, 7});
  check_values(x.cumsum(-1), {0, 1, 3, 3, 7, 12});
  check_values(x.t().cumsum(0), {0, 3, 1, 7, 3, 12});
  CHECK(x.t().cumsum(0).is_contiguous());
  check_values(ramp({3}).expand({2, 3}).cumsum(0), {0, 1, 2, 0, 2, 4});
  check_values(cumsum(ramp({}).add(5), 0), {5});
  CHECK((x.cumsum(0).narrow(0, 0, 0).cumsum(0).sizes() == IntArrayRef{0, 3}));
}

TEST_CASE("dtypes") {
  CHECK((ramp({3}, kInt).cumsum(0).scalar_type() == kLong));
  CHECK((ramp({3}, kBool).cumsum(0).scalar_type() == kLong));
  check_values(ramp({3}, kBool).cumsum(0), {0, 1, 2});
  CHECK((ramp({3}, kHalf).cumsum(0).scalar_type() == kHalf));
  CHECK((ramp({3}, kLong).cumsum(0, kFloat).scalar_type() == kFloat));
  check_values(ramp({3}).add(0.5).cumsum(0, kLong), {0, 1, 3});  // converted first
  check_values(ramp({3}).cumsum(0, kBool), {0, 1, 1});
  CHECK_THROWS_AS(ramp({3}).cumsum(1), IndexError);
}

TEST_CASE("gradients of cumsum") {
  using Inputs = const std::vector<Tensor>&;
  check_gradients([](Inputs in) { return in[0].cumsum(0); }, {noise({3, 2})});
  check_gradients([](Inputs in) { return in[0].cumsum(1); }, {noise({3, 2})});
  const Tensor x = ramp({3}, kFloat).requires_grad_();
  const Tensor y = x.cumsum(0, kDouble);
  CHECK(y.grad_fn()->name() == "CumsumBackward0");
  y.sum().backward();
  check_values(x.grad(), {3, 2, 1});
  CHECK((x.grad().scalar_type() == kFloat));
}
