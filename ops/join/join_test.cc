#include "ops/join/join.h"

#include "autograd/node.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("cat and stack") {
  const Tensor a = ramp({2, 2}), b = ramp({1, 2});
  const Tensor rows = cat({a, b});
  CHECK((rows.sizes() == IntArrayRef{3, 2}));
  check_values(rows, {0, 1, 2, 3, 0, 1});
  check_values(cat({a, ramp({2, 1})}, -1), {0, 1, 0, 2, 3, 1});
  CHECK((stack({a, a}, 1).sizes() == IntArrayRef{2, 2, 2}));
  check_values(stack({ramp({2}), ramp({2})}, -1), {0, 0, 1, 1});
  CHECK((cat({ramp({0}), a}).sizes() == a.sizes()));
  CHECK((cat({ramp({2}, kFloat), ramp({1}, kLong)}).scalar_type() == kFloat));
}

TEST_CASE("what they refuse") {
  CHECK(contains(message_of([&] { cat({}); }), "expected a non-empty list of Tensors"));
  CHECK(contains(message_of([&] {
                   cat({ramp({2, 3}), ramp({2, 4})});
                 }),
                 "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for "
                 "tensor number 1"));
  CHECK(contains(message_of([&] {
                   cat({ramp({2, 3}), ramp({2})});
                 }),
                 "Tensors must have same number of dimensions: got 2 and 1"));
  CHECK(contains(message_of([&] {
                   cat({ramp({2}), ramp({})});
                 }),
                 "zero-dimensional tensor (at position 1) cannot be concatenated"));
  CHECK(contains(message_of([&] {
                   stack({ramp({2}), ramp({3})});
                 }),
                 "but got [2] at entry 0 and [3] at entry 1"));
  CHECK_THROWS_AS(cat({ramp({2})}, 1), IndexError);
}

TEST_CASE("gradients: each tensor gets its own part") {
  const auto squared = [](const Tensor& t) { return t.mul(t); };
  check_gradients(
      [&](const std::vector<Tensor>& in) {
        return squared(cat({in[0], in[1], in[0]}, 1));
      },
      {noise({2, 1}), noise({2, 3}, 2)});
  check_gradients(
      [&](const std::vector<Tensor>& in) {
        return squared(cat({in[0], in[1]}));
      },
      {noise({0}), noise({2, 2}, 2)});
  check_gradients(
      [&](const std::vector<Tensor>& in) {
        return squared(stack({in[0], in[1]}, -1));
      },
      {noise({2, 3}), noise({2, 3}, 2)});
  const Tensor x = ramp({2}).requires_grad_();
  CHECK(cat({x, ramp({1})}).grad_fn()->name() == "CatBackward0");
  CHECK(stack({x}).grad_fn()->name() == "StackBackward0");
  const Tensor single = ramp({2}, kFloat).requires_grad_();
  cat({single, ramp({1})}).sum().backward();
  CHECK((single.grad().scalar_type() == kFloat));
}
