#include "autograd/autograd.h"
#include "autograd/node.h"
#include "core/autograd_state.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("views: one version, one base, a history of their own") {
  const Tensor x = ones({2, 3}, kDouble).requires_grad_();
  const Tensor y = x * 2;
  const Tensor v = y.view({6}), w = v.view({3, 2});
  CHECK(v.is_view());
  CHECK_FALSE(y.is_view());
  CHECK(w._base().is_same(y));  // the base of the base
  CHECK(v.grad_fn()->name() == "ViewBackward0");
  w.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>(6, 2));

  const Tensor plain = zeros({4}), part = plain.view({2, 2});
  part.fill_(3);
  CHECK(plain._version() == 1);
  CHECK(part._version() == 1);
  CHECK(contains(message_of([&] { plain._base(); }), "Can't get base of non-view Tensor"));
}

TEST_CASE("views: detach shares the version, is no view and requires no grad") {
  const Tensor x = ones({2}, kDouble).requires_grad_();
  const Tensor d = x.detach();
  CHECK_FALSE(d.requires_grad());
  CHECK(d.is_alias_of(x));
  d.fill_(2);
  CHECK(x._version() == 1);
}

TEST_CASE("views: a recorded in-place write to a view is refused, and changes nothing") {
  const Tensor x = ones({4}, kDouble).requires_grad_();
  const Tensor y = x * 2, v = y.view({2, 2});
  std::string message = message_of([&] { v.mul_(ones({2, 2}, kDouble)); });
  CHECK(contains(message, "an in-place operation on a view cannot be recorded yet"));
  CHECK(contains(message, "view of a tensor of sizes [4]"));
  CHECK(y._version() == 0);
  // Also where it is the other operand that requires grad.
  const Tensor base = zeros({4}, kDouble), part = base.view({2, 2});
  CHECK(contains(message_of([&] { part.add_(x.view({2, 2})); }), "cannot be recorded yet"));
  CHECK(base._version() == 0);
  CHECK(contains(message_of([&] {
                   x.view({2, 2}).mul_(ones({2, 2}, kDouble));
                 }),
                 "a view of a leaf Variable that requires grad"));
  part.add_(ones({2, 2}, kDouble));  // nothing to record: fine
  CHECK(values(base) == std::vector<double>(4, 1));
}

TEST_CASE("views: after a recorded write to the base, the view is refused") {
  const Tensor x = ones({4}, kDouble).requires_grad_();
  const Tensor base = zeros({4}, kDouble), v = base.view({2, 2});
  base.add_(x);  // now base depends on x, and so does the data of v
  CHECK(base.grad_fn()->name() == "AddBackward0");
  CHECK(v.requires_grad());
  CHECK(contains(message_of([&] { v* v; }), "this view's base was modified by an inplace operation"));
  CHECK(contains(message_of([&] { v.grad_fn(); }), "make the view again after the write"));
  (base.view({2, 2}) * 3).sum().backward();
  CHECK(values(x.grad()) == std::vector<double>(4, 3));
}

TEST_CASE("views: of a leaf that an optimizer writes to without recording, they stay good") {
  const Tensor w = ones({4}, kDouble).requires_grad_();
  const Tensor v = w.view({2, 2});
  {
    const NoGradGuard guard;
    w.add_(ones({4}, kDouble));
  }
  (v * 3).sum().backward();
  CHECK(values(w.grad()) == std::vector<double>(4, 3));
}

TEST_CASE("in place: the history is rebased, the gradient is of the value before") {
  const Tensor x = full({2}, 3, kDouble).requires_grad_();
  const Tensor y = x * 1;
  y.mul_(x);  // x^2
  CHECK(y._version() == 1);
  CHECK(y.grad_fn()->name() == "MulBackward0");
  y.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{6, 6});
}
