#include "ops/comparison/comparison.h"

#include <limits>

#include "autograd/node.h"
#include "core/error.h"
#include "ops/arithmetic/arithmetic.h"
#include "ops/factories/factories.h"
#include "ops/factories/tensor.h"
#include "ops/testing/testing.h"

namespace gb::tests {
namespace {

TEST_CASE("values, as bool") {
  const Tensor a = tensor({1, 2, 3}), b = tensor({2.0, 2.0, 2.0});
  check_values(eq(a, b), {0, 1, 0});
  check_values(ne(a, b), {1, 0, 1});
  check_values(lt(a, b), {1, 0, 0});
  check_values(le(a, b), {1, 1, 0});
  check_values(gt(a, b), {0, 0, 1});
  check_values(ge(a, b), {0, 1, 1});
  CHECK((eq(a, b).scalar_type() == kBool));
  CHECK((eq(b, b).scalar_type() == kBool));
}

TEST_CASE("numbers, operators, broadcasting") {
  const Tensor a = tensor({{1, 2}, {3, 4}});
  check_values(a > 2, {0, 0, 1, 1});
  check_values(a == tensor({1, 4}), {1, 0, 0, 1});
  check_values(a.eq(2.5), {0, 0, 0, 0});  // compared as floating numbers: 2 is not 2.5
  check_values(a <= 2.5, {1, 1, 0, 0});
  check_values(tensor({true, false}) != true, {0, 1});
}

TEST_CASE("methods and in place") {
  const Tensor a = tensor({1, 2, 3});
  check_values(a.lt(2), {1, 0, 0});
  check_values(a.ge(tensor({2.0})), {0, 1, 1});
  const Tensor b = tensor({1.0, 2.0, 3.0});
  CHECK(b.gt_(1.5).is_same(b));
  CHECK((b.scalar_type() == kDouble || b.scalar_type() == kFloat));
  check_values(b, {0, 1, 1});
  check_values(b.ne_(a), {1, 1, 1});
  CHECK(b._version() == 2);
  const Tensor x = ones({2}, requires_grad(true));
  const Tensor y = mul(x, 1);
  y.le_(x);
  CHECK(y.grad_fn()->name() == "LeBackward1");
  y.sum().backward();
  check_values(x.grad(), {0, 0});
}

TEST_CASE("NaN equals nothing") {
  const Tensor nan = tensor({std::numeric_limits<double>::quiet_NaN()});
  check_values(eq(nan, nan), {0});
  check_values(ne(nan, nan), {1});
  check_values(ge(nan, nan), {0});
  const Tensor some = tensor({1.0, 0.0, -2.0}).div(tensor({0.0, 0.0, 0.0}));  // inf, NaN, -inf
  check_values(some.isnan(), {0, 1, 0});
  check_values(some.isinf(), {1, 0, 1});
}

TEST_CASE("no gradient, even of inputs that have one") {
  const Tensor a = ones({2}, requires_grad(true));
  CHECK(!eq(a, a).requires_grad());
  CHECK(!lt(a, 2).requires_grad());
}

TEST_CASE("shapes must broadcast; meta gives the shape") {
  CHECK(contains(message_of([] { lt(zeros({2}), zeros({3})); }), "The size of tensor a (2) must match"));
  const Tensor m = lt(empty({2, 1}, kMeta), empty({3}, kMeta));
  CHECK((m.sizes() == IntArrayRef({2, 3})));
  CHECK((m.scalar_type() == kBool));
}

}  // namespace
}  // namespace gb::tests
