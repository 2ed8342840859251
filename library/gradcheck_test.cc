#include "library/gradcheck.h"

#include <doctest/doctest.h>

#include "autograd/function.h"
#include "core/autograd_state.h"
#include "library/testing.h"
#include "ops/softmax/softmax.h"
#include "ops/testing/testing.h"

using namespace gb;
using gb::tests::contains;
using gb::tests::message_of;
using gb::tests::noise;

namespace {

Tensor leaf(IntArrayRef sizes, uint64_t seed = 1) { return noise(sizes, seed).requires_grad_(); }

// x^2 with a backward that each test spoils in its own way.
template <class Spoil>
struct Square : autograd::Function<Square<Spoil>> {
  static Tensor forward(autograd::AutogradContext* ctx, Tensor x) {
    ctx->save_for_backward({x});
    Spoil::setup(*ctx);
    return x.mul(x);
  }
  static autograd::variable_list backward(autograd::AutogradContext* ctx, autograd::variable_list grads) {
    return {Spoil::backward(grads[0], ctx->get_saved_variables()[0])};
  }
};
struct NotSpoilt {
  static void setup(autograd::AutogradContext&) {}
  static Tensor backward(const Tensor& g, const Tensor& x) { return g.mul(x).mul(2); }
};
struct IgnoresGrad : NotSpoilt {
  static Tensor backward(const Tensor& g, const Tensor& x) { return x.mul(2).add(g.mul(0)); }
};
struct AddsABit : NotSpoilt {
  static Tensor backward(const Tensor& g, const Tensor& x) { return g.mul(x).mul(2).add(1e-7); }
};
struct CountsCalls : NotSpoilt {
  static Tensor backward(const Tensor& g, const Tensor& x) {
    static double calls = 0;
    return g.mul(x).mul(2).mul(1 + 1e-9 * ++calls);
  }
};
struct NeedsGrad {
  static void setup(autograd::AutogradContext& ctx) { ctx.set_materialize_grads(false); }
  static Tensor backward(const Tensor& g, const Tensor& x) { return g.mul(x).mul(2); }
};
struct WithoutMaterializing : NeedsGrad {
  static Tensor backward(const Tensor& g, const Tensor& x) {
    return g.defined() ? g.mul(x).mul(2) : Tensor();
  }
};
template <class Spoil>
Tensor square(const Tensor& x) {
  return Square<Spoil>::apply(x);
}

}  // namespace

TEST_CASE("gradcheck: lynx_cortex::softmax, 2 x 64") {
  const CustomOpDef op = testing::define_softmax();
  const auto f = [&](const Tensor& x) { return op.call<Tensor>(x); };
  const Tensor x = leaf({2, 64});
  const std::vector<double> before = tests::values(x);
  const GradcheckReport report = gradcheck_report(f, {x});
  CHECK_MESSAGE(report.passed, report.message);
  CHECK(report.entries == 128 * 128);
  CHECK(report.worst.difference < 1e-8);
  CHECK(contains(
      to_string(report),
      "gradcheck passed: 16384 entries compared, largest difference of output 0 by input 0 at (row "));
  CHECK(tests::values(x) == before);
  CHECK(x._version() == 0);
  CHECK_FALSE(x.grad().defined());
  CHECK(gradcheck(f, {x}));
  CHECK(gradgradcheck(f, {leaf({2, 3})}));
}

TEST_CASE("gradcheck: a wrong backward is caught, and the worst entry printed") {
  const CustomOpDef op = testing::define_wrong_softmax();
  const auto f = [&](const Tensor& x) { return op.call<Tensor>(x); };
  const Tensor x = leaf({2, 8});
  const GradcheckReport report = gradcheck_report(f, {x});
  CHECK_FALSE(report);
  CHECK(contains(report.message, "gradcheck: Jacobian mismatch for output 0 with respect to input 0"));
  CHECK(contains(report.message, "worst at (row "));
  CHECK(contains(report.message, "numerical (16 x 16; rows "));
  CHECK(contains(report.message, "analytical (16 x 16; rows "));
  // Off the diagonal block J[r][c] = -y[r] y[c]; on the diagonal it is y - y^2, and the wrong one is y: the
  // largest difference is the largest y[r]^2, on the diagonal.
  CHECK(report.worst.row == report.worst.column);
  const double y = tests::values(testing::softmax_forward(x))[static_cast<size_t>(report.worst.row)];
  CHECK(report.worst.analytical == doctest::Approx(y));
  CHECK(report.worst.numerical == doctest::Approx(y - y * y));
  CHECK(report.worst.difference == doctest::Approx(y * y));
  CHECK_THROWS_AS(gradcheck(f, {x}), GradcheckError);
  CHECK_FALSE(gradcheck(f, {x}, {.raise_exception = false}));
}

TEST_CASE("gradcheck: several inputs and outputs; which one is wrong is named") {
  const auto f = [](const Tensor& a, const Tensor& b) { return std::vector<Tensor>{a.mul(b), b.exp()}; };
  CHECK(gradcheck(f, {leaf({2, 3}, 1), leaf({2, 3}, 2)}));
  CHECK(gradcheck(f, {noise({2, 3}), leaf({2, 3}, 2)}));  // one of them constant
  const auto wrong = [](const Tensor& a, const Tensor& b) {
    return std::vector<Tensor>{a.mul(a), a.mul(b.detach()).add(b)};
  };
  CHECK(contains(gradcheck_report(wrong, {leaf({2}, 1), leaf({2}, 2)}).message,
                 "Jacobian mismatch for output 1 with respect to input 1"));
}

TEST_CASE("gradcheck: strided inputs are perturbed in place") {
  const Tensor x = noise({3, 2}).t().requires_grad_();
  CHECK_FALSE(x.is_contiguous());
  CHECK(gradcheck([](const Tensor& t) { return t.mul(t); }, {x}));
}

TEST_CASE("gradcheck: 0-dim and empty tensors") {
  CHECK(gradcheck([](const Tensor& t) { return t.mul(t); }, {leaf({})}));
  CHECK(gradcheck([](const Tensor& t) { return t.mul(t); }, {leaf({0, 3})}));
}

TEST_CASE("gradcheck: the further checks") {
  const std::vector<Tensor> x{leaf({3})};
  CHECK(gradcheck(square<NotSpoilt>, x));
  CHECK(gradcheck(square<WithoutMaterializing>, x));
  CHECK(contains(gradcheck_report(square<IgnoresGrad>, x).message, "Jacobian mismatch"));
  CHECK(contains(gradcheck_report(square<AddsABit>, x).message,
                 "gradcheck: backward not multiplied by grad_output"));
  CHECK(contains(gradcheck_report(square<CountsCalls>, x).message, "gradcheck: Backward is not reentrant"));
  CHECK(gradcheck(square<CountsCalls>, x, {.nondet_tol = 1e-6}));
  CHECK(contains(gradcheck_report(square<NeedsGrad>, x).message,
                 "gradcheck: Expected backward function to handle undefined output grads"));
  CHECK(gradcheck(square<NeedsGrad>, x, {.check_undefined_grad = false}));
}

TEST_CASE("gradcheck: a function cut off from its inputs") {
  CHECK(gradcheck([](const Tensor& t) { return t.detach().mul(0); }, {leaf({3})}));
  CHECK(contains(gradcheck_report([](const Tensor& t) { return t.detach().mul(2); }, {leaf({3})}).message,
                 "gradcheck: Numerical gradient for function expected to be zero"));
}

TEST_CASE("gradcheck: refused inputs") {
  const auto f = [](const Tensor& t) { return t.mul(t); };
  const std::string text = message_of([&] { gradcheck(f, {noise({2, 2}, 1, kFloat).requires_grad_()}); });
  CHECK(contains(text, "gradcheck: inputs that require grad must be float64"));
  CHECK(contains(text, "input 0 is Float of sizes [2, 2]"));
  CHECK(contains(text, "x.to(kDouble)"));
  CHECK(contains(text, chapters::kAutograd));
  CHECK_THROWS_AS(gradcheck(f, {noise({2})}), ValueError);
  CHECK(contains(message_of([&] { gradcheck(f, {noise({2})}); }),
                 "at least one input tensor to require gradient"));
  CHECK(contains(message_of([&] {
                   gradcheck(f, {noise({2, 1}).expand({2, 3}).requires_grad_()});
                 }),
                 "the elements of input 0 overlap in memory"));
  CHECK(contains(message_of([&] {
                   gradcheck(f, {leaf({2}), leaf({2})});
                 }),
                 "the function takes 1 tensors, the list has 2"));
}

TEST_CASE("gradgradcheck: catches a backward that uses a constant where a function of the input stood") {
  struct Constant : NotSpoilt {
    static Tensor backward(const Tensor& g, const Tensor& x) { return g.mul(x.detach()).mul(2); }
  };
  CHECK(gradcheck(square<Constant>, {leaf({3})}));
  CHECK(gradgradcheck(square<NotSpoilt>, {leaf({3})}));
  CHECK_THROWS_AS(gradgradcheck(square<Constant>, {leaf({3})}), GradcheckError);
  CHECK(gradgradcheck([](const Tensor& t) { return gb::softmax(t, -1); }, {leaf({2, 3})}));
}
