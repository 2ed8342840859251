#include "ops/addc/addc.h"

#include "autograd/node.h"
#include "core/error.h"
#include "ops/factories/factories.h"
#include "ops/factories/tensor.h"
#include "ops/testing/testing.h"

namespace gb::tests {
namespace {

TEST_CASE("values, in place too") {
  const auto d = TensorOptions(kDouble);
  const Tensor x = tensor({1.0, 2.0}, d), y = tensor({3.0, 4.0}, d), z = tensor({2.0, 8.0}, d);
  check_values(addcmul(x, y, z, 0.5), {4, 18});
  check_values(addcdiv(x, y, z, 2), {4, 3});
  check_values(lerp(x, y, 0.25), {1.5, 2.5});
  check_values(lerp(x, y, 1), {3, 4});
  check_values(x.lerp(y, tensor({0.0, 1.0}, d)), {1, 4});
  CHECK(x.addcmul_(y, z).is_same(x));
  check_values(x, {7, 34});
  check_values(x.addcdiv_(y, z, 2).lerp_(y, 0.5), {6.5, 19.5});
  CHECK(x._version() == 3);
}

TEST_CASE("what is refused; nodes") {
  const Tensor i = tensor({1, 2}), x = ones({2}, requires_grad(true));
  CHECK(contains(message_of([&] { addcdiv(i, i, i); }),
                 "Integer division with addcdiv is no longer supported"));
  CHECK(contains(message_of([&] { lerp(x, i, 0.5); }), "expected dtype Float for `end` but got dtype Long"));
  CHECK(addcmul(x, x, x).grad_fn()->name() == "AddcmulBackward0");
  CHECK(addcdiv(x, x, x).grad_fn()->name() == "AddcdivBackward0");
  CHECK(lerp(x, x, 0.5).grad_fn()->name() == "LerpBackward0");
  CHECK(lerp(x, x, x).grad_fn()->name() == "LerpBackward1");
}

}  // namespace
}  // namespace gb::tests
