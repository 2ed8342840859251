// gradcheck and gradgradcheck on twelve classic mistakes: each is caught, by the check that has to, and the same function
// with a right gradient is accepted.
#include <doctest/doctest.h>

#include "library/gradcheck.h"
#include "library/mistakes_glassbox.h"
#include "ops/testing/testing.h"

namespace gb::tests {
namespace {

std::vector<Tensor> inputs_of(const MistakeOf<GlassboxFunctions>& mistake) {
  std::vector<Tensor> inputs;
  for (const std::vector<int64_t>& sizes : mistake.inputs)
    inputs.push_back(noise(sizes, 3 + inputs.size()).requires_grad_());
  return inputs;
}

// "" where the check accepts it.
std::string verdict_of_gradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs, bool fast) {
  return message_of([&] { gradcheck(f, inputs, {.fast_mode = fast, .seed = 5}); });
}
std::string verdict_of_gradgradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs, bool fast) {
  return message_of([&] { gradgradcheck(f, inputs, {}, {.fast_mode = fast, .seed = 5}); });
}

TEST_CASE("twelve mistakes: each is caught, in the slow and in the fast mode") {
  REQUIRE(Mistakes::all().size() == 12);
  for (const auto& mistake : Mistakes::all()) {
    for (const bool fast : {false, true}) {
      CAPTURE(mistake.name);
      CAPTURE(fast);
      const std::vector<Tensor> inputs = inputs_of(mistake);
      CHECK(verdict_of_gradcheck(mistake.right, inputs, fast) == "");
      CHECK(verdict_of_gradgradcheck(mistake.right, inputs, fast) == "");
      const std::string first = verdict_of_gradcheck(mistake.wrong, inputs, fast);
      if (mistake.caught_by == CaughtBy::kGradcheck) {
        CHECK(contains(first, mistake.words));
      } else {
        CHECK(first == "");
        const std::string second = verdict_of_gradgradcheck(mistake.wrong, inputs, fast);
        CHECK(contains(second, mistake.words));
        CHECK(contains(second, "grad_outputs drawn by seed 5"));
      }
    }
  }
}

TEST_CASE("fast mode: the message has the two numbers, the seed, and the Jacobians of the slow mode") {
  const auto mistake = Mistakes::all()[1];
  const std::string text = verdict_of_gradcheck(mistake.wrong, inputs_of(mistake), true);
  CHECK(contains(text, "fast mode: v^T J u numerical"));
  CHECK(contains(text, "u and v by seed 5"));
  CHECK(contains(text, "slow mode: worst at (row"));
  CHECK(contains(text, "analytical (6 x 6"));
}

TEST_CASE("fast mode: one number for each pair of output and input") {
  const Tensor a = noise({2, 3}, 1).requires_grad_(), b = noise({3}, 2).requires_grad_();
  const auto f = [](const Tensor& x, const Tensor& y) { return std::vector<Tensor>{x * y, (x * x).sum()}; };
  const GradcheckReport fast = gradcheck_report(f, {a, b}, {.fast_mode = true}), slow = gradcheck_report(f, {a, b});
  CHECK(fast.passed);
  CHECK(slow.passed);
  CHECK(fast.entries == 4);
  CHECK(slow.entries == 6 * 6 + 6 * 3 + 1 * 6 + 1 * 3);
}

// Each entry is wrong by less than atol allows, but all by the same sign: in the fast mode they add up no further than the
// scaled atol. A larger error is seen by both.
TEST_CASE("fast mode: atol is scaled by the sums of u and v") {
  struct Slightly : autograd::Function<Slightly> {
    static Tensor forward(autograd::AutogradContext* ctx, Tensor x, double error) {
      ctx->saved_data["error"] = error;
      return x.sum();
    }
    static autograd::variable_list backward(autograd::AutogradContext* ctx, autograd::variable_list g) {
      return {g[0].expand({64}) * (1 + ctx->saved_data["error"].toDouble()), Tensor()};
    }
  };
  const Tensor x = noise({64}, 1).requires_grad_();
  const auto passes = [&](double error, bool fast) {
    const auto f = [error](const Tensor& t) { return Slightly::apply(t, error); };
    return gradcheck_report(f, {x}, {.atol = 1e-5, .rtol = 0, .fast_mode = fast}).passed;
  };
  CHECK(passes(8e-6, false));
  CHECK(passes(8e-6, true));
  CHECK_FALSE(passes(2e-5, false));
  CHECK_FALSE(passes(2e-5, true));
}

}  // namespace
}  // namespace gb::tests
