#include "autograd/anomaly_mode.h"

#include "autograd/autograd.h"
#include "autograd/formula.h"
#include "core/warning.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

namespace {

struct Warnings final : WarningHandler {
  void process(const Warning& warning) override { all.push_back(warning.msg()); }
  std::vector<std::string> all;
};

struct FailsInBackward final : autograd::Node {
  autograd::variable_list apply(autograd::variable_list&&) override {
    GB_THROW(ValueError, .what = "no gradient today", .cause = "a test", .repair = "none",
             .chapter = chapters::kAutograd);
  }
};

Tensor with_failing_backward(const Tensor& x) {
  const auto node = std::make_shared<FailsInBackward>();
  node->set_next_edges(autograd::collect_next_edges(x));
  Tensor y = x.detach().clone();
  autograd::set_history(y, node);
  return y;
}

}  // namespace

TEST_CASE("anomaly: a node that throws is followed by a warning with the stack of its forward call") {
  Warnings warnings;
  const WarningUtils::WarningHandlerGuard handler(&warnings);
  const Tensor x = ones({2}, kDouble).requires_grad_();
  {
    const autograd::DetectAnomalyGuard guard;
    CHECK(autograd::AnomalyMode::is_enabled());
    const Tensor y = with_failing_backward(x);
    CHECK(contains(message_of([&] { y.sum().backward(); }), "no gradient today"));
  }
  CHECK_FALSE(autograd::AnomalyMode::is_enabled());
  REQUIRE_FALSE(warnings.all.empty());
  CHECK(contains(warnings.all.back(),
                 "Error detected in FailsInBackward. Traceback of forward call that caused the error:\n"));
  CHECK_FALSE(contains(warnings.all.back(), "anomaly mode was off"));
  CHECK(contains(warnings.all.back(), "__libc_start_main"));
}

TEST_CASE("anomaly: a node made outside of the mode has no stack to show") {
  Warnings warnings;
  const WarningUtils::WarningHandlerGuard handler(&warnings);
  const Tensor x = ones({2}, kDouble).requires_grad_(), y = with_failing_backward(x);
  const autograd::DetectAnomalyGuard guard;
  CHECK_FALSE(message_of([&] { y.sum().backward(); }).empty());
  CHECK(contains(warnings.all.back(), "anomaly mode was off during the forward call"));
}

TEST_CASE("anomaly: the first NaN is reported with the node that made it, unless that is switched off") {
  Warnings warnings;
  const WarningUtils::WarningHandlerGuard handler(&warnings);
  const Tensor x = zeros({2}, kDouble).requires_grad_();
  const auto nan = [&](bool check_nan) {
    const autograd::DetectAnomalyGuard guard(check_nan);
    return message_of([&] { (zeros({2}, kDouble) / x * x).sum().backward(); });
  };
  CHECK(contains(nan(true), "returned nan values in its 1th output"));
  CHECK(contains(nan(true), "Function 'MulBackward0'"));
  CHECK(nan(false).empty());
}

TEST_CASE("anomaly: a second derivative names the backward in which its node was made") {
  Warnings warnings;
  const WarningUtils::WarningHandlerGuard handler(&warnings);
  struct Outer final : autograd::Node {
    autograd::variable_list apply(autograd::variable_list&& grads) override { return {with_failing_backward(grads[0])}; }
    std::string name() const override { return "Outer"; }
  };
  const autograd::DetectAnomalyGuard guard;
  const Tensor x = ones({2}, kDouble).requires_grad_();
  const Tensor seed = ones({2}, kDouble).requires_grad_();
  Tensor y = x.detach().clone();
  const auto node = std::make_shared<Outer>();
  node->set_next_edges(autograd::collect_next_edges(x));
  autograd::set_history(y, node);
  const Tensor g = autograd::grad({y}, {x}, {seed}, true, /*create_graph=*/true)[0];
  CHECK_FALSE(message_of([&] { g.sum().backward(); }).empty());
  REQUIRE(warnings.all.size() >= 2);
  CHECK(contains(warnings.all[warnings.all.size() - 2], "Error detected in FailsInBackward"));
  CHECK(contains(warnings.all.back(), "Previous calculation was induced by Outer"));
}
