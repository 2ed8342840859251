// What is special about add, sub, mul and div; values over many shapes are in cases.h.
#include "ops/arithmetic/arithmetic.h"

#include "autograd/node.h"
#include "core/autograd_state.h"
#include "core/error.h"
#include "ops/factories/factories.h"
#include "ops/factories/tensor.h"
#include "ops/testing/testing.h"

namespace gb::tests {
namespace {

const auto kF = TensorOptions(kFloat);

TEST_CASE("values, broadcasting, alpha") {
  const Tensor a = tensor({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}, kF), row = tensor({10.0, 20.0, 30.0}, kF);
  check_values(add(a, row), {11, 22, 33, 14, 25, 36});
  check_values(add(a, row, 2), {21, 42, 63, 24, 45, 66});
  check_values(sub(row, a, 0.5), {9.5, 19, 28.5, 8, 17.5, 27});
  check_values(mul(a, row), {10, 40, 90, 40, 100, 180});
  check_values(div(row, a), {10, 10, 10, 2.5, 4, 5});
}

TEST_CASE("numbers take part by kind") {
  const Tensor i = tensor({1, 2, 3}), f = tensor({1.0, 2.0}, kF);
  CHECK((add(i, 2).scalar_type() == kLong));
  CHECK((add(i, 2.5).scalar_type() == kFloat));
  CHECK((mul(f, 2.5).scalar_type() == kFloat));
  CHECK((mul(f.to(kHalf), 2.5).scalar_type() == kHalf));
  CHECK((div(i, i).scalar_type() == kFloat));
  CHECK((div(i, 2).scalar_type() == kFloat));
  check_values(div(i, 2), {0.5, 1, 1.5});
  check_values(i + 2, {3, 4, 5});
  check_values(Scalar(10) - f, {9, 8});
  CHECK((add(tensor({true, false}), tensor({true, true})).scalar_type() == kBool));
}

TEST_CASE("operands that are not contiguous, of other dtypes, empty, or of no dimension") {
  const Tensor a = tensor({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}, kF);
  const Tensor t = a.t();
  check_values(add(t, t), {2, 8, 4, 10, 6, 12});
  CHECK((add(t, t).strides() == IntArrayRef({1, 3})));
  check_values(add(a, tensor({1, 2, 3})), {2, 4, 6, 5, 7, 9});
  check_values(add(tensor(2.0, kF), tensor(3.0, kF)), {5});
  CHECK(add(tensor(2.0, kF), tensor(3.0, kF)).dim() == 0);
  CHECK((add(zeros({2, 0}), zeros({1})).sizes() == IntArrayRef({2, 0})));
}

TEST_CASE("in place keeps dtype, counts one version and writes through") {
  Tensor a = tensor({1.0, 2.0, 3.0}, kF);
  const Tensor view = a.detach();
  Tensor& same = a.add_(tensor({1, 1, 1}));
  CHECK(&same == &a);
  CHECK(a._version() == 1);
  CHECK(view._version() == 1);
  check_values(view, {2, 3, 4});
  a.mul_(tensor(2.0, TensorOptions(kDouble)));
  CHECK((a.scalar_type() == kFloat));
  check_values(a, {4, 6, 8});
  a.sub_(a).div_(tensor({1.0}, kF));
  check_values(a, {0, 0, 0});
}

TEST_CASE("bad input changes nothing") {
  const Tensor i = tensor({1, 2, 3}), f = tensor({1.0, 2.0, 3.0}, kF), b = tensor({true, false, true});
  CHECK(
      contains(message_of([&] {
                 add(f, tensor({1.0, 2.0}, kF));
               }),
               "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0"));
  CHECK(contains(message_of([&] { i.add_(f); }),
                 "result type Float can't be cast to the desired output type Long"));
  CHECK(contains(message_of([&] { i.div_(i); }),
                 "result type Float can't be cast to the desired output type Long"));
  CHECK(contains(message_of([&] { add(i, i, 0.5); }),
                 "For integral input tensors, argument alpha must not be a floating point number"));
  CHECK(contains(message_of([&] { add(f, f, true); }), "Boolean alpha only supported for Boolean results"));
  CHECK(contains(message_of([&] { sub(b, b); }),
                 "Subtraction, the `-` operator, with two bool tensors is not supported"));
  CHECK(contains(message_of([&] { sub(b, 1); }),
                 "Subtraction, the `-` operator, with a bool tensor is not supported"));
  CHECK(contains(message_of([&] { add(f, Tensor()); }), "got an undefined Tensor for argument 'other'"));
  CHECK(contains(message_of([&] { f.add_(zeros({2, 3})); }), "doesn't match the broadcast shape [2, 3]"));
  CHECK(
      contains(message_of([&] { add(f, empty({3}, kMeta)); }), "found at least two devices, cpu and meta!"));
  const Tensor expanded = zeros({1, 3}).expand({2, 3});
  CHECK(contains(message_of([&] { expanded.add_(f); }), "refers to a single memory location"));
  CHECK(f._version() == 0);
  CHECK(i._version() == 0);
  check_values(f, {1, 2, 3});
  const Tensor square = zeros({3, 3});
  CHECK(contains(message_of([&] { square.add_(square.t()); }), "refer to a single memory location"));
}

TEST_CASE("meta: the shape of the answer without the answer") {
  const Tensor m = empty({2, 3}, TensorOptions(kMeta).dtype(kFloat));
  CHECK(add(m, empty({4, 1, 3}, kMeta)).is_meta());
  CHECK((add(m, empty({4, 1, 3}, kMeta)).sizes() == IntArrayRef({4, 2, 3})));
  CHECK((mul(m, tensor(2)).scalar_type() == kFloat));
  CHECK((div(m, 2).sizes() == IntArrayRef({2, 3})));
}

TEST_CASE("gradients") {
  auto leaf = [](IntArrayRef sizes, uint64_t seed) { return add(noise(sizes, seed), 2.0); };
  for (auto f : {+[](const std::vector<Tensor>& x) { return add(x[0], x[1], 3); },
                 +[](const std::vector<Tensor>& x) { return sub(x[0], x[1], 0.5); },
                 +[](const std::vector<Tensor>& x) { return mul(x[0], x[1]); },
                 +[](const std::vector<Tensor>& x) { return div(x[0], x[1]); }}) {
    check_gradients(f, {leaf({2, 3}, 1), leaf({2, 3}, 2)});
    check_gradients(f, {leaf({2, 3}, 1), leaf({1, 3}, 2)});
    check_gradients(f, {leaf({3}, 1), leaf({2, 2, 3}, 2)});
    check_gradients(f, {leaf({}, 1), leaf({2, 3}, 2)});
  }
  check_gradients([](const std::vector<Tensor>& x) { return div(mul(sub(add(x[0], 2), 0.5), 3), 4); },
                  {leaf({2, 3}, 1)});
  check_gradients(
      [](const std::vector<Tensor>& x) {
        Tensor y = x[0].clone();
        y.mul_(x[1]).add_(x[1]).div_(x[1]).sub_(x[0]);
        return y;
      },
      {leaf({2, 3}, 1), leaf({2, 3}, 2)});
}

TEST_CASE("node names are LibTorch's") {
  const Tensor a = zeros({2}, requires_grad(true)), b = ones({2});
  auto name = [](const Tensor& t) { return t.grad_fn()->name(); };
  CHECK(name(add(a, b)) == "AddBackward0");
  CHECK(name(add(a, 2)) == "AddBackward1");
  CHECK(name(sub(a, b)) == "SubBackward0");
  CHECK(name(sub(a, 2)) == "SubBackward1");
  CHECK(name(mul(a, b)) == "MulBackward0");
  CHECK(name(mul(a, 2)) == "MulBackward1");
  CHECK(name(div(a, b)) == "DivBackward0");
  CHECK(name(div(a, 2)) == "DivBackward1");
  CHECK(name(a.clone().mul_(b)) == "MulBackward0");
  CHECK(!add(b, b).grad_fn());
  NoGradGuard guard;
  CHECK(!add(a, b).grad_fn());
}

}  // namespace
}  // namespace gb::tests
