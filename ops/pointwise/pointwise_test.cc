#include "ops/pointwise/pointwise.h"

#include <cmath>
#include <limits>

#include "autograd/node.h"
#include "core/error.h"
#include "ops/factories/factories.h"
#include "ops/factories/tensor.h"
#include "ops/testing/testing.h"

namespace gb::tests {
namespace {

const double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("where: values, numbers, dtypes") {
  const Tensor c = tensor({true, false, true}), a = tensor({1, 2, 3}), b = tensor({0.5, 0.5, 0.5});
  check_values(where(c, a, b), {1, 0.5, 3});
  check_values(a.where(c, 9), {1, 9, 3});
  check_values(where(c, 7, a), {7, 2, 7});
  CHECK((where(c, a, b).scalar_type() == kFloat));
  CHECK((where(c, a, 9).scalar_type() == kLong));
  CHECK((where(c, 1, 2.0).scalar_type() == kFloat));
  const Tensor untouched = where(c, tensor({1.0, kNaN, 1.0}), tensor({kNaN, 2.0, kNaN}));
  check_values(untouched, {1, 2, 1});
}

TEST_CASE("masked_fill keeps the dtype; in place it writes only what the mask covers") {
  const Tensor x = tensor({{1.0, 2.0}, {3.0, 4.0}}, TensorOptions(kFloat)), mask = tensor({true, false});
  check_values(x.masked_fill(mask, -1), {-1, 2, -1, 4});
  check_values(x.masked_fill(mask, tensor(9)), {9, 2, 9, 4});
  CHECK((x.masked_fill(mask, tensor(9)).scalar_type() == kFloat));
  CHECK(x.masked_fill_(mask, 0).is_same(x));
  check_values(x, {0, 2, 0, 4});
  CHECK(x._version() == 1);
}

TEST_CASE("maximum, minimum and clamp: NaN, crossed bounds") {
  const Tensor a = tensor({1.0, kNaN, 3.0}), b = tensor({2.0, 2.0, kNaN});
  CHECK(std::isnan(maximum(a, b).sum().item<double>()));
  check_values(a.maximum(b).eq(2), {1, 0, 0});
  check_values(clamp(tensor({-3, 0, 3}), -1, 1), {-1, 0, 1});
  check_values(clamp(tensor({-3, 0, 3}), 2, 1), {1, 1, 1});
  CHECK((clamp(tensor({1, 2}), 1.5).scalar_type() == kFloat));
  const Tensor x = tensor({-3.0, 0.0, 3.0});
  x.clamp_(-1, {}).clamp_max_(2);
  check_values(x, {-1, 0, 2});
}

TEST_CASE("what is refused, and then nothing is written") {
  const Tensor x = tensor({1, 2, 3}), c = tensor({true, false, true});
  CHECK(contains(message_of([&] { where(x, x, x); }), "expected condition to be a boolean tensor"));
  CHECK(contains(message_of([&] { x.masked_fill_(x, 0); }), "masked_fill_ only supports boolean masks"));
  CHECK(contains(message_of([&] { x.masked_fill(c, tensor({1})); }),
                 "only supports a 0-dimensional value tensor"));
  CHECK(contains(message_of([&] { x.masked_fill_(c, 1e20); }), "cannot be converted to type int64_t without overflow"));
  CHECK(contains(message_of([&] { clamp(x); }), "At least one of 'min' or 'max' must not be None"));
  CHECK(contains(message_of([&] { x.clamp_(2, 2.5); }),
                 "result type Float can't be cast to the desired output type Long"));
  check_values(x, {1, 2, 3});
  CHECK(x._version() == 0);
}

TEST_CASE("gradients where operands are equal, and nodes") {
  const Tensor a = tensor({1.0, 2.0, 3.0}, requires_grad(true)),
               b = tensor({1.0, 3.0, 2.0}, requires_grad(true));
  const Tensor y = maximum(a, b);
  CHECK(y.grad_fn()->name() == "MaximumBackward0");
  y.sum().backward();
  check_values(a.grad(), {0.5, 0, 1});
  check_values(b.grad(), {0.5, 1, 0});
  const Tensor c = tensor({true, false, true});
  CHECK(where(c, a, b).grad_fn()->name() == "WhereBackward0");
  CHECK(a.masked_fill(c, 0).grad_fn()->name() == "MaskedFillBackward0");
  CHECK(a.masked_fill(c, b.sum()).grad_fn()->name() == "MaskedFillBackward1");
  CHECK(a.clamp(0, 1).grad_fn()->name() == "ClampBackward1");
  CHECK(clamp(a, b).grad_fn()->name() == "ClampBackward0");
  CHECK(!where(c, 1, 2).requires_grad());
}

}  // namespace
}  // namespace gb::tests
