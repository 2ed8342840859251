#include "ops/statistics/statistics.h"

#include <cmath>
#include <limits>

#include "autograd/node.h"
#include "ops/factories/tensor.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("var and std: of all, of dimensions, with a correction") {
  const Tensor x = tensor({{1.0, 2.0, 3.0}, {4.0, 6.0, 8.0}}, kDouble);
  check_values(x.var({1}, true), {1, 4});
  check_values(x.var({1}, false), {2.0 / 3, 8.0 / 3}, 1e-15);
  check_values(x.std({1}, true), {1, 2});
  check_values(x.var({0}, Scalar(0)), {2.25, 4, 6.25});
  check_values(x.var(), {6.8}, 1e-15);
  check_values(x.var(false), {34.0 / 6}, 1e-15);
  check_values(var(x, IntArrayRef{0, 1}, Scalar(4)), {17}, 1e-14);
  CHECK((x.std({1}, true, true).sizes() == IntArrayRef{2, 1}));
  CHECK((x.to(kHalf).var({1}, true).scalar_type() == kHalf));
}

TEST_CASE("var without a degree of freedom, and of large numbers") {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  check_values(ramp({1}).var(), {nan});
  check_values(ramp({0}).var(), {nan});
  check_values(ramp({2}).var({0}, Scalar(2)), {infinity});
  check_values(ramp({3}).add(1e8).var(), {1});  // the squares alone have 17 digits
}

TEST_CASE("logsumexp does not overflow") {
  const double infinity = std::numeric_limits<double>::infinity();
  check_values(ramp({3}).mul(1000).logsumexp({0}), {2000});
  check_values(tensor({0.0, 0.0}, kDouble).logsumexp({0}), {std::log(2)}, 1e-15);
  check_values(tensor({-infinity, -infinity}, kDouble).logsumexp({0}), {-infinity});
  check_values(tensor({infinity, 0.0}, kDouble).logsumexp({0}), {infinity});
  check_values(ramp({2, 0}).logsumexp({1}), {-infinity, -infinity});
  CHECK((logsumexp(ramp({2, 3}, kLong), {1}, true).sizes() == IntArrayRef{2, 1}));
  CHECK((logsumexp(ramp({2, 3}, kLong), {1}).scalar_type() == kFloat));
}

TEST_CASE("what they refuse, and names of nodes") {
  CHECK(contains(message_of([] { ramp({3}, kLong).var(); }), "std and var only support floating point"));
  CHECK_THROWS_AS(ramp({3}).std({1}, true), IndexError);
  const Tensor x = ramp({3}).requires_grad_();
  CHECK(x.var().grad_fn()->name() == "VarBackward0");
  CHECK(x.std(false).grad_fn()->name() == "StdBackward0");
  CHECK(x.logsumexp({0}).grad_fn()->name() == "LogsumexpBackward0");
  x.mul(0).std().backward();
  check_values(x.grad(), {0, 0, 0});  // at 0 the root has no slope: 0 by definition
}

TEST_CASE("gradients against differences") {
  using Inputs = const std::vector<Tensor>&;
  check_gradients([](Inputs in) { return in[0].var({1}, true); }, {noise({3, 4})});
  check_gradients([](Inputs in) { return in[0].var({0}, Scalar(0.5), true); }, {noise({3, 4})});
  check_gradients([](Inputs in) { return in[0].std(); }, {noise({3, 4})});
  check_gradients([](Inputs in) { return in[0].logsumexp({0}); }, {noise({3, 4})});
  check_gradients([](Inputs in) { return in[0].logsumexp({0, 1}, true); }, {noise({3, 4})});
}
