#include "ops/extrema/extrema.h"

#include <limits>

#include "autograd/node.h"
#include "ops/factories/tensor.h"
#include "ops/testing/testing.h"
#include "ops/view/view.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("max and min of everything, along a dimension, and of two tensors") {
  const Tensor x = tensor({{3.0, 1.0, 3.0}, {2.0, 5.0, -4.0}}, kDouble);
  check_values(x.max(), {5});
  check_values(min(x), {-4});
  const auto [values, indices] = x.max(1);
  check_values(values, {3, 5});
  check_values(indices, {0, 1});  // the first of equal ones
  CHECK((indices.scalar_type() == kLong));
  check_values(std::get<1>(x.min(0)), {1, 0, 1});
  CHECK((std::get<0>(x.max(0, true)).sizes() == IntArrayRef{1, 3}));
  check_values(std::get<1>(x.t().max(0)), {0, 1});
  check_values(x.max(x.neg()), {3, 1, 3, 2, 5, 4});
  check_values(min(x, x.neg()), {-3, -1, -3, -2, -5, -4});
  check_values(std::get<0>(ramp({}).max(-1)), {0});
}

TEST_CASE("argmax and argmin") {
  const Tensor x = tensor({{3.0, 1.0, 3.0}, {2.0, 5.0, -4.0}}, kDouble);
  check_values(x.argmax(), {4});
  check_values(x.t().argmax(), {3});  // row by row of what it is called on
  check_values(x.argmax(1), {0, 1});
  check_values(argmin(x, 0), {1, 0, 1});
  CHECK((x.argmax({}, true).sizes() == IntArrayRef{1, 1}));
  CHECK((x.argmax(0, true).sizes() == IntArrayRef{1, 3}));
}

TEST_CASE("NaN beats all numbers") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor x = tensor({1.0, nan, 9.0, nan}, kDouble);
  check_values(x.max(), {nan});
  check_values(x.min(), {nan});
  check_values(std::get<1>(x.max(0)), {1});
  check_values(x.argmin(), {1});
}

TEST_CASE("what they refuse") {
  CHECK(contains(message_of([] { ramp({0}).max(); }),
                 "max(): Expected reduction dim to be specified for input.numel() == 0"));
  CHECK(contains(message_of([] {
                   ramp({2, 0}).min(1);
                 }),
                 "min(): Expected reduction dim 1 to have non-zero size"));
  CHECK(contains(message_of([] {
                   ramp({0, 2}).argmax();
                 }),
                 "argmax(): Expected reduction dim to be specified"));
  CHECK(contains(message_of([] { ramp({2}, kBool).argmax(); }), "not implemented for 'Bool'"));
  CHECK_THROWS_AS(ramp({2}).max(1), IndexError);
}

TEST_CASE("gradients: along a dimension to the one that is named, of everything to all equal ones") {
  const Tensor x = tensor({{3.0, 1.0, 3.0}, {2.0, 3.0, -4.0}}, kDouble).requires_grad_();
  const auto [values, indices] = x.max(1);
  CHECK(values.grad_fn()->name() == "MaxBackward0");
  CHECK(!indices.requires_grad());
  CHECK(!x.argmax().requires_grad());
  values.sum().backward();
  check_values(x.grad(), {1, 0, 0, 0, 1, 0});
  x.mutable_grad() = Tensor();
  const Tensor largest = x.max();
  CHECK(largest.grad_fn()->name() == "MaxBackward1");
  largest.mul(3).backward();
  check_values(x.grad(), {1, 0, 1, 0, 1, 0});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor y = tensor({1.0, nan}, kDouble).requires_grad_();
  y.min().backward();
  check_values(y.grad(), {0, 1});
}

TEST_CASE("gradients against differences") {
  using Inputs = const std::vector<Tensor>&;
  check_gradients([](Inputs in) { return std::get<0>(in[0].max(1)); }, {noise({3, 4})});
  check_gradients([](Inputs in) { return std::get<0>(in[0].min(0, true)); }, {noise({3, 4})});
  check_gradients([](Inputs in) { return in[0].max(); }, {noise({3, 4})});
  check_gradients([](Inputs in) { return in[0].min(); }, {noise({})});
}
