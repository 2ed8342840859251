#include "ops/dropout/dropout.h"

#include <cmath>

#include "autograd/node.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("dropout keeps an element with probability 1 - p, and the mean") {
  manual_seed(7);
  const Tensor x = ones({20000}, kDouble), y = dropout(x, 0.25, true);
  int64_t kept = 0;
  for (const double v : values(y)) {
    CHECK((v == 0 || v == 1 / 0.75));
    kept += v != 0;
  }
  CHECK(std::abs(static_cast<double>(kept) / 20000 - 0.75) < 0.015);  // five standard deviations
  manual_seed(7);
  check_values(dropout(x, 0.25, true), values(y));  // the seed decides
}

TEST_CASE("nothing is drawn: the input itself, or zeros") {
  const Tensor x = noise({3});
  CHECK(dropout(x, 0.5, false).is_same(x));
  CHECK(dropout(x, 0, true).is_same(x));
  check_values(dropout(x, 1, true), {0, 0, 0});
  CHECK(dropout(x.requires_grad_(), 0.5, true).grad_fn()->name() == "MulBackward0");
}

TEST_CASE("native_dropout: the gradient goes where the mask is, scaled; also a second time") {
  manual_seed(3);
  const Tensor x = noise({8}).requires_grad_();
  const auto [y, mask] = native_dropout(x, 0.5, std::nullopt);
  CHECK(y.grad_fn()->name() == "NativeDropoutBackward0");
  CHECK((mask.scalar_type() == kBool));
  CHECK(!mask.requires_grad());
  check_values(y.detach(), values(x.detach().mul(mask).mul(2)));
  y.sum().backward();
  check_values(x.grad(), values(mask.to(kDouble).mul(2)));
  check_gradients([&](const std::vector<Tensor>& in) { return native_dropout_backward(in[0], mask, 3); },
                  {noise({8}, 2)});
}

TEST_CASE("what dropout refuses") {
  CHECK(contains(message_of([] { dropout(ramp({2}), 1.5, true); }),
                 "dropout probability has to be between 0 and 1, but got 1.5"));
}
