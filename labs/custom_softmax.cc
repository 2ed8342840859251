#include "labs/custom_softmax.h"

#include <fmt/format.h>

#include "glassbox.h"

namespace gb::labs {
namespace {

// y = exp(x - max) / sum, along the last dimension.
Tensor forward(const Tensor& x) {
  const Tensor e = (x - x.amax({-1}, true)).exp();
  return e / e.sum({-1}, true);
}

Tensor fake(const Tensor& x) { return empty_like(x); }

// The output is what backward needs, so the input can go.
void setup_context(autograd::AutogradContext& ctx, ArrayRef<IValue> /*inputs*/, const IValue& output) {
  ctx.save_for_backward({output.toTensor()});
}

// dx = y * (dy - sum(dy * y))
Tensor backward(autograd::AutogradContext& ctx, const Tensor& dy) {
  const Tensor y = ctx.get_saved_variables()[0];
  return y * (dy - (dy * y).sum({-1}, true));
}

// As if softmax had no coupling between the entries of a row: the sum is forgotten.
Tensor wrong_backward(autograd::AutogradContext& ctx, const Tensor& dy) {
  return dy * ctx.get_saved_variables()[0];
}

double max_abs(const Tensor& t) {
  const Tensor wide = t.detach().to(kDouble).cpu().contiguous();
  double largest = 0;
  for (int64_t i = 0; i < wide.numel(); ++i) {
    const double v = std::abs(wide.const_data_ptr<double>()[i]);
    if (!std::isnan(largest) && !(v <= largest)) largest = v;  // NaN counts as largest, and stays
  }
  return largest;
}

void require(bool holds, const char* what, double value) {
  GB_CHECK_OR_THROW(holds, Error, .what = what, .cause = fmt::format("the value is {:.3e}", value),
                    .repair = "this is a bug in the lab or in a kernel", .chapter = chapters::kCustomOps);
}

// Forward and backward of the operator against aten::softmax on 8 x 600 float32.
void compare_with_aten(const CustomOpDef& op, const Options& options) {
  Generator generator(options.seed + 1);
  const TensorOptions like = dtype(kFloat).device(options.device);
  const Tensor x = randn({8, 600}, generator, kFloat).to(like).requires_grad_();
  const Tensor dy = randn({8, 600}, generator, kFloat).to(like);
  const Tensor mine = op.call<Tensor>(x), aten = softmax(x, -1);
  const Tensor dx_mine = autograd::grad({mine}, {x}, {dy}, true)[0], dx_aten = autograd::grad({aten}, {x}, {dy}, true)[0];
  const double forward_difference = max_abs(mine - aten), backward_difference = max_abs(dx_mine - dx_aten);
  fmt::print("\nAgainst aten::softmax, 8 x 600 float32, seeded random grad_output:\n");
  fmt::print("  forward  max |difference| {:.2e}\n  backward max |difference| {:.2e}   (largest |dx| {:.2e})\n",
             forward_difference, backward_difference, max_abs(dx_aten));
  const double of_sum = max_abs(autograd::grad({mine.sum()}, {x})[0]);
  fmt::print("  With y.sum() instead, the largest |dx| is {:.2e}: every row of y sums to 1 whatever x is, so that gradient is\n"
             "  zero up to rounding, and agreeing on it would prove nothing.\n", of_sum);
  require(forward_difference <= 1e-6, "custom softmax: forward differs from aten::softmax", forward_difference);
  require(backward_difference <= 1e-6, "custom softmax: backward differs from aten::softmax", backward_difference);
}

}  // namespace

CustomOpDef register_custom_softmax() {
  auto op = custom_op("lynx_cortex::softmax(Tensor x) -> Tensor", forward);
  op.register_fake(fake).register_autograd(backward, setup_context);
  return op;
}

void show_custom_softmax(const CustomOpDef& op, const Options& options) {
  fmt::print("\n== 3. Custom operator {} ==\n\nWhat the registration leaves in the dispatch table:\n\n{}\n",
             toString(op.handle().schema()), op.dump());

  Generator generator(options.seed);
  const Tensor x = randn({2, 64}, generator, kDouble).requires_grad_();
  const GradcheckReport right = gradcheck_report([&](const Tensor& t) { return op.call<Tensor>(t); }, {x});
  fmt::print("gradcheck, float64, 2 x 64, eps 1e-6, atol 1e-5: {}\n", to_string(right));
  require(right.passed, "custom softmax: gradcheck failed", right.worst.difference);

  compare_with_aten(op, options);

  auto wrong = custom_op("lynx_cortex::softmax_wrong(Tensor x) -> Tensor", forward);
  wrong.register_fake(fake).register_autograd(wrong_backward, setup_context);
  const GradcheckReport caught = gradcheck_report([&](const Tensor& t) { return wrong.call<Tensor>(t); }, {x});
  fmt::print("\nThe same with a wrong backward (dy * y, without the sum), gradcheck: {}\n{}\n", to_string(caught), caught.message);
  require(!caught.passed, "custom softmax: gradcheck let a wrong backward pass", caught.worst.difference);
}

}  // namespace gb::labs
