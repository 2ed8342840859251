#include "ops/loss/loss.h"

#include <cmath>

#include "autograd/node.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

namespace {

Tensor classes(std::initializer_list<int64_t> values) {
  const Tensor t = ramp({static_cast<int64_t>(values.size())}, kLong);
  std::copy(values.begin(), values.end(), t.data_ptr<int64_t>());
  return t;
}

}  // namespace

TEST_CASE("mse_loss: mean, sum, none; the mean's gradient counts the broadcast elements") {
  const Tensor x = ramp({2, 2}), y = ramp({2, 2}).mul(3);
  check_values(mse_loss(x, y, Reduction::None), {0, 4, 16, 36});
  check_values(mse_loss(x, y, Reduction::Sum), {56});
  check_values(mse_loss(x, y), {14});
  check_gradients([](const std::vector<Tensor>& in) { return mse_loss(in[0], in[1]); },
                  {noise({2, 3}), noise({3}, 2)});
}

TEST_CASE("nll_loss reads one number per row; weights, ignored rows") {
  const Tensor x = ramp({3, 2}), t = classes({1, 0, 1}), w = ramp({2}).add(1);  // picks 1, 2, 5; weights 1, 2
  check_values(nll_loss(x, t, {}, Reduction::None), {-1, -2, -5});
  check_values(nll_loss(x, t, {}, Reduction::Sum), {-8});
  check_values(nll_loss(x, t), {-8.0 / 3}, 1e-15);
  check_values(nll_loss(x, t, w), {-(2 * 1 + 2 + 2 * 5) / 5.0}, 1e-15);
  check_values(nll_loss(x, t, w, Reduction::Mean, 0), {-3}, 1e-15);
  check_values(nll_loss(x, t, {}, Reduction::None, 0), {-1, 0, -5});
  check_values(nll_loss(x, classes({0, 0, 0}), {}, Reduction::Mean, 0), {std::nan("")});
  const auto [loss, total] = nll_loss_forward(x.detach().requires_grad_(), t, w, Reduction::Mean, -100);
  check_values(total, {5});
  CHECK(loss.grad_fn()->name() == "NllLossBackward0");
  CHECK(!total.requires_grad());
}

TEST_CASE("cross_entropy_loss is nll_loss of log_softmax, and of one-hot probabilities the same") {
  const Tensor x = noise({2, 3}), t = classes({2, 0});
  const Tensor hot = zeros({2, 3}, kDouble);
  hot.data_ptr<double>()[2] = hot.data_ptr<double>()[3] = 1;
  check_values(cross_entropy_loss(x, t), values(nll_loss(log_softmax(x, 1), t)), 1e-15);
  check_values(cross_entropy_loss(x, hot), values(cross_entropy_loss(x, t)), 1e-15);
  // Smoothing: what the smoothed probabilities give.
  const Tensor smooth = hot.mul(0.7).add(0.3 / 3);
  for (const int64_t reduction : {Reduction::None, Reduction::Mean, Reduction::Sum}) {
    check_values(cross_entropy_loss(x, t, {}, reduction, -100, 0.3),
                 values(cross_entropy_loss(x, smooth, {}, reduction)), 1e-15);
    check_values(cross_entropy_loss(x, hot, {}, reduction, -100, 0.3),
                 values(cross_entropy_loss(x, smooth, {}, reduction)), 1e-15);
  }
}

TEST_CASE("what the losses refuse") {
  const Tensor x = ramp({3, 5}), t = classes({1, 0, 1});
  CHECK_THROWS_AS(nll_loss(x, classes({1, 7, 1})), IndexError);
  CHECK(contains(message_of([&] { nll_loss(x, classes({1, 7, 1})); }), "Target 7 is out of bounds."));
  CHECK(contains(message_of([&] {
                   nll_loss(x, classes({1, 0}));
                 }),
                 "size mismatch (got input: [3, 5], target: [2])"));
  CHECK(contains(message_of([&] {
                   nll_loss_nd(x, classes({1, 0}));
                 }),
                 "Expected input batch_size (3) to match target batch_size (2)."));
  CHECK(contains(message_of([&] { nll_loss(x, ramp({3})); }), "expected scalar type Long but found Double"));
  CHECK(contains(message_of([&] { nll_loss(x, t, ramp({4})); }), "for all 5 classes or no classes"));
  const std::string no_formula = "The function 'nll_loss_forward' is not differentiable with respect to argument 'weight'";
  const Tensor weight = ramp({5}).requires_grad_();
  CHECK(contains(message_of([&] { nll_loss(x.detach().requires_grad_(), t, weight); }), no_formula));
  CHECK(contains(message_of([&] { nll_loss(x.detach(), t, weight); }), no_formula));
  {
    const NoGradGuard not_recorded;
    CHECK(!nll_loss(x, t, weight).requires_grad());
  }
  CHECK(contains(message_of([&] { cross_entropy_loss(x, t, {}, 1, -100, 2); }),
                 "label_smoothing must be between 0.0 and 1.0"));
  CHECK(contains(message_of([&] {
                   cross_entropy_loss(x, ramp({3, 5}, kLong));
                 }),
                 "Expected floating point type for target with class probabilities, got Long"));
  CHECK(contains(message_of([&] { mse_loss(x, x, 5); }), "5 is not a valid value for reduction"));
}
