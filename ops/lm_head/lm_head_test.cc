#include "ops/lm_head/lm_head.h"

#include <cmath>
#include <limits>

#include "autograd/node.h"
#include "ops/factories/tensor.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("linear_softmax is softmax of linear") {
  const Tensor x = noise({2, 3, 4}), w = noise({5, 4}, 2), b = noise({5}, 3);
  check_values(linear_softmax(x, w, b), values(softmax(linear(x, w, b), -1)), 1e-15);
  check_values(linear_softmax(x, w), values(softmax(linear(x, w), -1)), 1e-15);
  CHECK((linear_softmax(x, w, b).sizes() == IntArrayRef{2, 3, 5}));
  CHECK(linear_softmax(x.transpose(0, 1), w, b).is_contiguous());
}

TEST_CASE("half types round once: the logits are not rounded in between") {
  const Tensor x = noise({3, 4}, 1, kBFloat16).mul(30), w = noise({5, 4}, 2, kBFloat16).mul(30);
  const Tensor exact = softmax(linear(x.to(kDouble), w.to(kDouble)), -1);
  check_values(linear_softmax(x, w), values(exact.to(kBFloat16)), 1e-4);
}

TEST_CASE("linear_cross_entropy is cross_entropy_loss of linear") {
  const Tensor x = noise({4, 3}), w = noise({5, 3}, 2), b = noise({5}, 3), t = tensor({1, 0, 4, 1}, kLong);
  check_values(linear_cross_entropy(x, w, t, b), values(cross_entropy_loss(linear(x, w, b), t)), 1e-15);
  const auto want = cross_entropy_loss(linear(x, w, b), t, std::nullopt, Reduction::Mean, 1);
  check_values(linear_cross_entropy(x, w, t, b, 1), values(want), 1e-15);
  const auto [loss, lse, count] = _linear_cross_entropy(x, w, t, b, 1);
  check_values(count, {2});
  check_values(lse, values(logsumexp(linear(x, w, b), {1})), 1e-14);
  CHECK(std::isnan(values(linear_cross_entropy(x, w, tensor({7, 7, 7, 7}, kLong), b, 7))[0]));
}

// Of gradients of gradients: tests/ops/gradient_test, by cases.h.
TEST_CASE("gradients") {
  const auto softmax_of = [](const std::vector<Tensor>& in) { return linear_softmax(in[0], in[1], in[2]); };
  check_gradients(softmax_of, {noise({2, 3}), noise({4, 3}, 2), noise({4}, 3)});
  const Tensor t = tensor({1, 3, 0}, kLong);
  const auto loss_of = [&](const std::vector<Tensor>& in) { return linear_cross_entropy(in[0], in[1], t, in[2], 3); };
  check_gradients(loss_of, {noise({3, 2}), noise({4, 2}, 2), noise({4}, 3)});
}

TEST_CASE("one node for the head; only what is asked for") {
  const Tensor x = noise({2, 3}).requires_grad_(), w = noise({4, 3}, 2), b = noise({4}, 3).requires_grad_();
  const Tensor p = linear_softmax(x, w, b);
  CHECK(p.grad_fn()->name() == "LinearSoftmaxBackward0");
  CHECK(linear_cross_entropy(x, w, tensor({1, 0}, kLong), b).grad_fn()->name() == "LinearCrossEntropyBackward0");
  const auto [dx, dw, db] = _linear_softmax_backward(p, p, x.detach(), w, {true, false, true});
  CHECK(dx.defined());
  CHECK_FALSE(dw.defined());
  CHECK(db.defined());
}

TEST_CASE("what the LM head refuses") {
  const Tensor x = noise({2, 3}), w = noise({4, 3}), t = tensor({1, 0}, kLong);
  CHECK(contains(message_of([&] { linear_softmax(x, noise({4, 2})); }), "input and weight do not fit each other"));
  CHECK(contains(message_of([&] { linear_softmax(x, w, noise({3})); }), "bias and weight do not fit each other"));
  CHECK(contains(message_of([&] { linear_softmax(x, w.to(kFloat)); }), "weight to have the dtype of input"));
  CHECK_THROWS_AS(linear_softmax(ramp({2, 3}, kLong), ramp({4, 3}, kLong)), NotImplementedError);
  CHECK(contains(message_of([&] { linear_cross_entropy(x, w, tensor({1}, kLong)); }),
                 "input and target do not fit each other"));
  CHECK(contains(message_of([&] { linear_cross_entropy(x, w, t.to(kDouble)); }), "expected scalar type Long"));
  CHECK_THROWS_AS(linear_cross_entropy(x, w, tensor({1, 4}, kLong)), IndexError);
  CHECK(contains(message_of([&] { _linear_softmax_backward(x, x, x, w, {true, true, true}); }),
                 "is not of the sizes and dtype that forward gives"));
}
