#include "ops/unary/unary.h"

#include <cmath>

#include "autograd/node.h"
#include "core/error.h"
#include "ops/arithmetic/arithmetic.h"
#include "ops/factories/factories.h"
#include "ops/factories/tensor.h"
#include "ops/testing/testing.h"

namespace gb::tests {
namespace {

TEST_CASE("values and dtypes") {
  const Tensor x = tensor({0.0, 1.0, -2.0}, TensorOptions(kDouble));
  check_values(neg(x), {0, -1, 2});
  check_values(exp(x), {1, std::exp(1.0), std::exp(-2.0)}, 1e-15);
  check_values(log(tensor({1.0, 4.0}, TensorOptions(kDouble))), {0, std::log(4.0)}, 1e-15);
  check_values(neg(tensor({1, -2})), {-1, 2});
  CHECK((neg(tensor({1, -2})).scalar_type() == kLong));
  CHECK((exp(tensor({0, 1})).scalar_type() == kFloat));
  CHECK((log(tensor({true, true})).scalar_type() == kFloat));
  check_values(exp(tensor({0, 1})), {1, std::exp(1.0)}, 1e-6);
  CHECK(std::isinf(log(tensor({0.0})).item<double>()));
  CHECK(exp(zeros({0, 3})).numel() == 0);
  CHECK((exp(zeros({2, 3}).t()).strides() == IntArrayRef({1, 3})));
  CHECK((exp(empty({2}, TensorOptions(kMeta).dtype(kLong))).scalar_type() == kFloat));
}

TEST_CASE("roots, signs, waves") {
  const Tensor x = tensor({4.0, 0.25}, TensorOptions(kDouble));
  check_values(x.sqrt(), {2, 0.5});
  check_values(x.rsqrt(), {0.5, 2});
  check_values(x.reciprocal(), {0.25, 4});
  check_values(x.square(), {16, 0.0625});
  check_values(x.floor(), {4, 0});
  check_values(x.sin(), {std::sin(4.0), std::sin(0.25)}, 1e-15);
  check_values(x.cos(), {std::cos(4.0), std::cos(0.25)}, 1e-15);
  check_values(abs(tensor({-2, 3})), {2, 3});
  check_values(sign(tensor({-2.5, 0.0, 3.0})), {-1, 0, 1});
  CHECK((tensor({1, 4}).sqrt().scalar_type() == kFloat));
  CHECK((tensor({1, 4}).square().scalar_type() == kLong));
  check_values(x.sqrt_().square_(), {4, 0.25});
}

TEST_CASE("in place") {
  const Tensor x = tensor({1.0, 4.0}, TensorOptions(kDouble));
  CHECK(x.neg_().is_same(x));
  check_values(x, {-1, -4});
  check_values(neg_(exp_(const_cast<Tensor&>(x))), {-std::exp(-1.0), -std::exp(-4.0)}, 1e-15);
  CHECK(x._version() == 3);
  CHECK(contains(message_of([] {
                   tensor({1, 2}).exp_();
                 }),
                 "result type Float can't be cast to the desired output type Long"));
  CHECK(contains(message_of([] { ones({2}, requires_grad(true)).log_(); }),
                 "log_: a leaf Variable that requires grad"));
  check_gradients([](const std::vector<Tensor>& v) { return v[0].clone().log_().neg_().exp_(); },
                  {add(noise({2, 3}), 2.0)});
}

TEST_CASE("what is refused") {
  CHECK(contains(message_of([] { neg(tensor({true})); }),
                 "neg: Negation, the `-` operator, on a bool tensor is not supported"));
}

TEST_CASE("gradients and nodes") {
  const auto x = [] { return add(noise({2, 3}), 2.0); };
  check_gradients([](const std::vector<Tensor>& v) { return neg(v[0]); }, {x()});
  check_gradients([](const std::vector<Tensor>& v) { return exp(v[0]); }, {x()});
  check_gradients([](const std::vector<Tensor>& v) { return log(v[0]); }, {x()});
  const Tensor a = ones({2}, requires_grad(true));
  CHECK(neg(a).grad_fn()->name() == "NegBackward0");
  CHECK(log(a).grad_fn()->name() == "LogBackward0");
  const Tensor e = exp(a);
  CHECK(e.grad_fn()->name() == "ExpBackward0");
  const auto saved = e.grad_fn()->saved();
  REQUIRE(saved.size() == 1);
  CHECK(saved[0].name == "result");
}

}  // namespace
}  // namespace gb::tests
