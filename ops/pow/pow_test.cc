#include "ops/pow/pow.h"

#include "autograd/node.h"
#include "core/error.h"
#include "ops/factories/factories.h"
#include "ops/factories/tensor.h"
#include "ops/testing/testing.h"

namespace gb::tests {
namespace {

TEST_CASE("values and dtypes") {
  const Tensor i = tensor({-2, 3}), x = tensor({4.0, 9.0}, TensorOptions(kDouble));
  check_values(pow(i, 3), {-8, 27});
  CHECK((pow(i, 3).scalar_type() == kLong));
  CHECK((pow(i, 2.0).scalar_type() == kFloat));
  check_values(x.pow(0.5), {2, 3});
  check_values(pow(2, i), {0, 8});
  check_values(pow(x, tensor({2, 1})), {16, 9});
  check_values(x.pow_(2), {16, 81});
  CHECK(x._version() == 1);
}

TEST_CASE("what is refused") {
  CHECK(contains(message_of([] {
                   pow(tensor({1, 2}), -1);
                 }),
                 "Integers to negative integer powers are not allowed"));
  CHECK(contains(message_of([] {
                   tensor({1, 2}).pow_(0.5);
                 }),
                 "result type Float can't be cast to the desired output type Long"));
  CHECK_THROWS_AS(pow(tensor({true}), tensor({true})), NotImplementedError);
}

TEST_CASE("gradients, at 0 too, and nodes") {
  const Tensor x = tensor({0.0, 2.0}, requires_grad(true).dtype(kDouble));
  const Tensor e = tensor({0.0, 3.0}, requires_grad(true).dtype(kDouble));
  const Tensor y = pow(x, e);
  CHECK(y.grad_fn()->name() == "PowBackward1");
  y.sum().backward();
  check_values(x.grad(), {0, 12});
  check_values(e.grad(), {0, 8 * 0.6931471805599453}, 1e-12);
  CHECK(x.pow(2).grad_fn()->name() == "PowBackward0");
  CHECK(pow(0, e).grad_fn()->name() == "PowBackward2");
  check_gradients([](const std::vector<Tensor>& v) { return v[0].clone().pow_(3).pow_(v[1]); },
                  {noise({3}).mul(0.1).add(2.0), noise({3}, 2)});
}

}  // namespace
}  // namespace gb::tests
