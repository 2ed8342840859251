// "Why is .grad of my tensor empty?" Because it was computed: gradients pass through it on their way to the
// leaves, and only an AccumulateGrad, at a leaf, puts one into a tensor. The classic trap is a leaf that one
// conversion later is none.
#include <doctest/doctest.h>

#include "autograd/autograd.h"
#include "autograd/tape.h"
#include "dispatcher/testing.h"
#include "ops/ops.h"
#include "tests/confusions/show.h"

using namespace gb;
using namespace gb::testing;
using namespace gb::confusions;

TEST_CASE("grad of a non-leaf: none, and a warning that names the repair") {
  const Tensor x = full({2}, 3.0, requires_grad(true));
  const Tensor h = x * 2, y = (h * 5).sum();
  std::string text = "== tape\n" + format_tape(renumbered(autograd::read_tape(y, {{x, "x"}})));
  y.backward();
  CHECK(x.is_leaf());
  CHECK_FALSE(h.is_leaf());
  CHECK(sum_of(x.grad()) == 20);
  Warnings warnings;
  CHECK_FALSE(h.grad().defined());
  REQUIRE(warnings.messages.size() == 1);
  check_golden("10_non_leaf", text + "\n== warning\n" + warnings.messages[0] + "\n");
  CHECK(x.grad().defined());  // of a leaf, no warning
  CHECK(warnings.messages.size() == 1);
}

TEST_CASE("grad of a non-leaf: retain_grad, a hook, or grad() get it") {
  const Tensor x = full({2}, 3.0, requires_grad(true));
  const Tensor h = x * 2, y = (h * 5).sum();
  h.retain_grad();
  double seen = 0;
  h.register_hook([&](const Tensor& g) { seen = sum_of(g); });
  CHECK(contains(autograd::format_tape(y), "  hooks: 1 tensor, 1 retain_grad\n"));
  CHECK(sum_of(autograd::grad({y}, {h}, {}, /*retain_graph=*/true)[0]) == 10);
  y.backward();
  CHECK(sum_of(h.grad()) == 20);  // kept twice: by grad(), which passes by, and by backward()
  CHECK(seen == 10);
}

TEST_CASE(
    "grad of a non-leaf: a converted leaf is computed, and the gradient goes to the tensor it was made of") {
  const Tensor made = ones({2}, requires_grad(true));
  const Tensor converted = made.to(kDouble);
  CHECK_FALSE(converted.is_leaf());
  converted.sum().backward();
  CHECK((made.grad().scalar_type() == kFloat));
  const Tensor right = ones({2}).to(kDouble).requires_grad_();  // convert first, then ask for gradients
  CHECK(right.is_leaf());
  right.sum().backward();
  CHECK((right.grad().scalar_type() == kDouble));
}
