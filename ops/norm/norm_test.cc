#include "ops/norm/norm.h"

#include <cmath>
#include <limits>

#include "autograd/node.h"
#include "ops/factories/tensor.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
}

TEST_CASE("norms by their p") {
  const Tensor x = tensor({3.0, -4.0, 0.0}, kDouble);
  check_values(x.norm(), {5});
  check_values(norm(x, 1), {7});
  check_values(x.norm(0), {2});
  check_values(x.norm(kInfinity), {4});
  check_values(x.norm(-kInfinity), {0});
  check_values(x.norm(3), {std::cbrt(91)}, 1e-15);
  const Tensor rows = tensor({{3.0, 4.0}, {5.0, 12.0}}, kDouble);
  check_values(rows.norm(2, {1}), {5, 13});
  CHECK((rows.norm(2, {1}, true).sizes() == IntArrayRef{2, 1}));
  check_values(linalg_vector_norm(rows, 2, IntArrayRef{0}), {std::sqrt(34), std::sqrt(160)}, 1e-14);
  check_values(ramp({0}).norm(), {0});
}

TEST_CASE("dtypes: halves compute in float, a wider dtype converts first") {
  const Tensor big = tensor({60000.0, 1.0}, kHalf);
  check_values(big.norm(), {60000});  // its square does not fit a half
  CHECK((big.norm().scalar_type() == kHalf));
  CHECK((big.norm(2, kFloat).scalar_type() == kFloat));
  CHECK((big.norm(2, {0}, true, kDouble).scalar_type() == kDouble));
}

TEST_CASE("what they refuse, and names of nodes") {
  CHECK(contains(message_of([] { ramp({3}, kLong).norm(); }),
                 "norm(): input dtype should be either floating point or complex. Got Long"));
  CHECK(contains(message_of([] { linalg_vector_norm(ramp({3}, kLong)); }),
                 "Expected a floating point or complex tensor as input. Got Long"));
  CHECK(contains(message_of([] { ramp({3}).norm(2, kHalf); }), "convertible without narrowing"));
  CHECK(contains(message_of([] { ramp({0}).norm(kInfinity); }), "does not have an identity"));
  const Tensor x = ramp({3}).requires_grad_();
  CHECK(x.norm().grad_fn()->name() == "NormBackward0");
  CHECK(x.norm(2, {0}).grad_fn()->name() == "NormBackward1");
  CHECK(x.norm(2, kDouble).grad_fn()->name() == "NormBackward2");
  CHECK(x.norm(2, {0}, false, kDouble).grad_fn()->name() == "NormBackward3");
  CHECK(linalg_vector_norm(x).grad_fn()->name() == "LinalgVectorNormBackward0");
}

TEST_CASE("gradients against differences, and at 0") {
  using Inputs = const std::vector<Tensor>&;
  for (const double p : {0.5, 1.0, 1.5, 2.0, 3.0, kInfinity, -kInfinity}) {
    CAPTURE(p);
    check_gradients([&](Inputs in) { return in[0].norm(p, {1}); }, {noise({3, 4})}, 1e-5);
  }
  check_gradients([](Inputs in) { return in[0].norm(); }, {noise({3, 4})});
  const Tensor zero = ramp({2}).mul(0).requires_grad_();
  zero.norm().backward();
  check_values(zero.grad(), {0, 0});
  const Tensor equal = tensor({2.0, -2.0, 1.0}, kDouble).requires_grad_();
  equal.norm(kInfinity).backward();
  check_values(equal.grad(), {0.5, -0.5, 0});
}
