// "My Function passes gradcheck, and its second derivative is wrong." A value computed inside forward and
// saved has no history: to the second backward it is a constant, though it depends on the input. No error, no
// warning: only gradgradcheck sees it. Softmax three ways: saving its output, saving an intermediate, and the
// repair.
#include <doctest/doctest.h>

#include "autograd/autograd.h"
#include "autograd/function.h"
#include "dispatcher/testing.h"
#include "library/gradcheck.h"
#include "ops/ops.h"
#include "tests/confusions/show.h"

using namespace gb;
using namespace gb::testing;
using namespace gb::confusions;
using autograd::AutogradContext;
using autograd::variable_list;

namespace {

Tensor exp_of(const Tensor& x) { return (x - x.amax({-1}, true)).exp(); }
Tensor gradient(const Tensor& y, const Tensor& dy) { return y * (dy - (dy * y).sum({-1}, true)); }

// Saves its output: that comes back as the output, with this node as its grad_fn.
struct SavesOutput : autograd::Function<SavesOutput> {
  static Tensor forward(AutogradContext* ctx, Tensor x) {
    const Tensor e = exp_of(x), y = e / e.sum({-1}, true);
    ctx->save_for_backward({y});
    return y;
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    return {gradient(ctx->get_saved_variables()[0], grads[0])};
  }
};

// Saves the exponentials, made inside of forward, where nothing is recorded.
struct SavesIntermediate : autograd::Function<SavesIntermediate> {
  static Tensor forward(AutogradContext* ctx, Tensor x) {
    const Tensor e = exp_of(x);
    ctx->save_for_backward({e});
    return e / e.sum({-1}, true);
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    const Tensor e = ctx->get_saved_variables()[0];
    return {gradient(e / e.sum({-1}, true), grads[0])};
  }
};

// Saves the input and makes the intermediate again in backward: under create_graph that is recorded.
struct SavesInput : autograd::Function<SavesInput> {
  static Tensor forward(AutogradContext* ctx, Tensor x) {
    ctx->save_for_backward({x});
    const Tensor e = exp_of(x);
    return e / e.sum({-1}, true);
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    const Tensor e = exp_of(ctx->get_saved_variables()[0]);
    return {gradient(e / e.sum({-1}, true), grads[0])};
  }
};

Tensor input() { return (arange(3, kDouble) * 0.5).requires_grad_(); }

// d/dx of sum of g^2, where g = d/dx of sum of x * f(x)
template <class F>
Tensor second_gradient(const F& f) {
  const Tensor x = input();
  const Tensor g = autograd::grad({(f(x) * x).sum()}, {x}, {}, true, /*create_graph=*/true)[0];
  return autograd::grad({(g * g).sum()}, {x})[0];
}
template <class F>
Tensor first_gradient(const F& f) {
  const Tensor x = input();
  return autograd::grad({(f(x) * x).sum()}, {x})[0];
}
double largest_difference(const Tensor& a, const Tensor& b) {
  return (a - b).detach().abs().amax().item().toDouble();
}

const auto saves_output = [](const Tensor& x) { return SavesOutput::apply(x); };
const auto saves_intermediate = [](const Tensor& x) { return SavesIntermediate::apply(x); };
const auto saves_input = [](const Tensor& x) { return SavesInput::apply(x); };
const auto builtin = [](const Tensor& x) { return softmax(x, -1); };

}  // namespace

TEST_CASE("double backward: the first gradient is right however it was saved") {
  const Tensor right = first_gradient(builtin);
  CHECK(largest_difference(first_gradient(saves_output), right) < 1e-12);
  CHECK(largest_difference(first_gradient(saves_intermediate), right) < 1e-12);
  CHECK(largest_difference(first_gradient(saves_input), right) < 1e-12);
  CHECK(gradcheck(saves_intermediate, {input()}));
}

TEST_CASE("double backward: with a saved intermediate the second gradient is silently wrong") {
  const Tensor right = second_gradient(builtin);
  CHECK(largest_difference(second_gradient(saves_output), right) < 1e-12);
  CHECK(largest_difference(second_gradient(saves_input), right) < 1e-12);
  const Tensor wrong = second_gradient(saves_intermediate);  // no error, no warning
  CHECK(wrong.defined());
  CHECK(largest_difference(wrong, right) > 0.01);
}

TEST_CASE("double backward: gradgradcheck sees it") {
  CHECK(gradgradcheck(saves_output, {input()}));
  CHECK(gradgradcheck(saves_input, {input()}));
  const std::string message = error_of([&] { gradgradcheck(saves_intermediate, {input()}); });
  CHECK(contains(message, "gradcheck"));
  CHECK(contains(message, "Jacobian mismatch"));
  check_golden("12_gradgradcheck", message.substr(0, message.find('\n')) + "\n");
}
