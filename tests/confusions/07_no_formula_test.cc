// "My operator has no gradient formula: what does backward do?" The danger is a gradient that is silently
// zero. Here the forward works, the output says that it has a history, and backward is an error that names
// the operator.
#include <doctest/doctest.h>

#include "autograd/autograd.h"
#include "dispatcher/testing.h"
#include "library/custom_op.h"
#include "ops/ops.h"
#include "tests/confusions/show.h"

using namespace gb;
using namespace gb::testing;
using namespace gb::confusions;

TEST_CASE("no formula: forward works, backward names the operator, and no gradient is made up") {
  const CustomOpDef cube =
      custom_op("c7::cube(Tensor x) -> Tensor", [](const Tensor& x) { return x.mul(x).mul(x); });
  const Tensor x = full({2}, 2.0, requires_grad(true));
  std::string text;
  Tensor y;
  {
    const trace::Recorder recorder;
    y = cube.call<Tensor>(x);
    text = "== forward\n" + hops(recorder.tree());
  }
  CHECK(y.requires_grad());
  CHECK(y.detach().sum().item().toDouble() == 16);
  text += "\n== backward\n" + error_of([&] { y.sum().backward(); }) + "\n";
  CHECK_FALSE(x.grad().defined());
  check_golden("07_no_formula", without_lines(text));

  // Nothing is recorded: nothing to complain of.
  const NoGradGuard guard;
  CHECK_FALSE(cube.call<Tensor>(x).requires_grad());
}

TEST_CASE("no formula: with one, the same call has a gradient") {
  const CustomOpDef cube =
      custom_op("c7::cube(Tensor x) -> Tensor", [](const Tensor& x) { return x.mul(x).mul(x); })
          .register_autograd(
              [](autograd::AutogradContext& ctx, const Tensor& g) {
                const Tensor x = ctx.get_saved_variables()[0];
                return g.mul(x).mul(x).mul(3);
              },
              [](autograd::AutogradContext& ctx, ArrayRef<IValue> inputs, const IValue&) {
                ctx.save_for_backward({inputs[0].toTensor()});
              });
  const Tensor x = full({2}, 2.0, requires_grad(true));
  cube.call<Tensor>(x).sum().backward();
  CHECK(x.grad().sum().item().toDouble() == 24);
}
