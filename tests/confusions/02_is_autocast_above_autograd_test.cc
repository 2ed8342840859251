// "Does autocast come before or after autograd?" Before: its bit is higher. So the cast is a call like any
// other, autograd records it, and the gradient of a float32 weight is float32. The second case puts the cast
// on the wrong side, with the mode of labs/autocast_order.h.
#include <doctest/doctest.h>

#include "autograd/autograd.h"
#include "autograd/tape.h"
#include "dispatcher/explain.h"
#include "dispatcher/testing.h"
#include "labs/autocast_order.h"
#include "ops/autocast/autocast.h"
#include "ops/ops.h"
#include "tests/confusions/show.h"

using namespace gb;
using namespace gb::testing;
using namespace gb::confusions;

namespace {

struct Head {
  Tensor x = ones({2, 3}, requires_grad(true)), w = ones({4, 3}, requires_grad(true)),
         b = zeros({4}, requires_grad(true));
  std::string tape(const Tensor& y) const {
    return without_node_numbers(autograd::format_tape(y, {{x, "x"}, {w, "W"}, {b, "b"}}));
  }
};

}  // namespace

TEST_CASE(
    "is autocast above autograd? yes: the casts are on the tape, and gradients have the dtype of their "
    "leaf") {
  const Head head;
  Tensor y;
  std::string text;
  {
    const autocast::AutocastGuard region(kCPU);
    const auto keys = [](const Tensor& t) { return t.key_set(); };
    text = "== explain\n" +
           explain_dispatch(find("aten::linear"),
                            {{"input", keys(head.x)}, {"weight", keys(head.w)}, {"bias", keys(head.b)}})
               .text();
    const trace::Recorder recorder;
    y = linear(head.x, head.w, head.b);
    text += "\n== hops\n" + hops(recorder.tree());
  }
  text += "\n== tape\n" + head.tape(y);
  CHECK((y.scalar_type() == kBFloat16));
  const std::vector<Tensor> g = autograd::grad({y}, {head.x, head.w, head.b}, {ones_like(y)});
  for (const Tensor& t : g) CHECK((t.scalar_type() == kFloat));
  CHECK(contains(text, "ToCopyBackward0"));
  check_golden("02_above", without_lines(text));
}

TEST_CASE(
    "is autocast above autograd? below it, the tape knows nothing of the cast and backward does not fit") {
  const Head head;
  Tensor y;
  {
    labs::CastBelowAutograd mode;
    const DispatchModeGuard guard(&mode);
    y = linear(head.x, head.w, head.b);
  }
  CHECK((y.scalar_type() == kBFloat16));
  const std::string tape = head.tape(y);
  CHECK_FALSE(contains(tape, "ToCopyBackward0"));
  const std::string error = error_of([&] { autograd::grad({y}, {head.x, head.w, head.b}, {ones_like(y)}); });
  CHECK(error != "no error");
  check_golden("02_below", "== tape\n" + without_lines(tape) + "\n== backward\n" + error + "\n");
}
