#include "ops/attention/attention.h"

#include <cmath>

#include "autograd/node.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("equal keys share the values; a causal query sees what came before") {
  const Tensor q = ones({1, 3, 2}), k = zeros({1, 3, 2}), v = tensor({1.0, 2.0, 6.0}).view({1, 3, 1});
  check_values(scaled_dot_product_attention(q, k, v), {3, 3, 3}, 1e-6);
  check_values(scaled_dot_product_attention(q, k, v, {}, 0, /*is_causal=*/true), {1, 1.5, 3}, 1e-6);
  const Tensor may_look = tensor({true, false, true}).view({1, 3});
  check_values(scaled_dot_product_attention(q, k, v, may_look), {3.5, 3.5, 3.5}, 1e-6);
}

TEST_CASE("a query that may look at nothing gets 0, and gives no gradient") {
  const Tensor q = noise({2, 3}).requires_grad_(), k = noise({4, 3}, 2).requires_grad_(), v = ones({4, 2}, kDouble);
  const Tensor may_look = tensor({false, false, false, false, true, false, true, true}).view({2, 4});
  const Tensor y = scaled_dot_product_attention(q, k, v, may_look);
  check_values(y, {0, 0, 1, 1}, 1e-12);
  y.mul(y).sum().backward();
  check_values(q.grad().select(0, 0), {0, 0, 0});
  CHECK(!k.grad().isnan().any().item<bool>());
}

TEST_CASE("scale: one over the square root of the width, or what is given") {
  const Tensor q = full({1, 4}, 1.0), k = tensor({0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0}).view({2, 4});
  const Tensor v = tensor({0.0, 1.0}).view({2, 1});
  const auto second = [](double score) { return std::exp(score) / (1 + std::exp(score)); };
  check_values(scaled_dot_product_attention(q, k, v), {second(4 / std::sqrt(4.0))}, 1e-6);
  check_values(scaled_dot_product_attention(q, k, v, {}, 0, false, 0.5), {second(4 * 0.5)}, 1e-6);
  check_values(scaled_dot_product_attention(q, k, v, {}, 0, false, -0.5), {second(-4 * 0.5)}, 1e-6);
}

TEST_CASE("it is made of parts: the tape ends in the product with the values") {
  const Tensor x = noise({2, 3, 4}).requires_grad_(true);
  CHECK(scaled_dot_product_attention(x, x, x).grad_fn()->name() == "UnsafeViewBackward0");
  CHECK(scaled_dot_product_attention(x, x, x, {}, 1.0).abs().sum().item<double>() == 0);  // all dropped
}

TEST_CASE("what is refused") {
  const Tensor x = noise({2, 3, 4});
  CHECK(contains(message_of([&] { scaled_dot_product_attention(x, x, x, ones({3, 3}), 0, true); }),
                 "Explicit attn_mask should not be set when is_causal=True"));
  CHECK_THROWS_AS(scaled_dot_product_attention(x, x, x, {}, 0, false, {}, /*enable_gqa=*/true), NotImplementedError);
}
