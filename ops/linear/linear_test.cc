#include "ops/linear/linear.h"

#include "autograd/node.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("linear is input W^T + bias for any number of dimensions") {
  const Tensor w = noise({3, 2}), b = noise({3}, 2), x = noise({4, 2}, 3);
  const std::vector<double> W = values(w), B = values(b), X = values(x);
  std::vector<double> expected, without_bias;
  for (size_t i = 0; i < 4; ++i)
    for (size_t j = 0; j < 3; ++j) {
      without_bias.push_back(X[2 * i] * W[2 * j] + X[2 * i + 1] * W[2 * j + 1]);
      expected.push_back(without_bias.back() + B[j]);
    }
  check_values(linear(x, w, b), expected, 1e-15);
  check_values(linear(x, w), without_bias, 1e-15);
  const Tensor deep = linear(x.view({2, 2, 1, 2}), w, b);
  CHECK((deep.sizes() == IntArrayRef{2, 2, 1, 3}));
  check_values(deep, expected, 1e-15);
  check_values(linear(x.view({8}).view({2, 2, 2}), w), without_bias, 1e-15);
  CHECK((linear(ramp({2}), w, b).sizes() == IntArrayRef{3}));
  CHECK((linear(ramp({0, 2}), w, b).sizes() == IntArrayRef{0, 3}));
}

TEST_CASE("linear records AddmmBackward0 and TBackward0") {
  const Tensor w = noise({3, 2}), b = noise({3}, 2), x = noise({4, 2}, 3);
  w.requires_grad_(true);
  const Tensor y = linear(x, w, b);
  CHECK(y.grad_fn()->name() == "AddmmBackward0");
  REQUIRE(y.grad_fn()->next_edges().size() == 3);
  CHECK_FALSE(y.grad_fn()->next_edge(0).is_valid());
  CHECK(y.grad_fn()->next_edge(2).function->name() == "TBackward0");
}

TEST_CASE("what linear refuses") {
  const Tensor w = ramp({3, 2});
  CHECK(contains(message_of([&] {
                   linear(ramp({4, 5}), w);
                 }),
                 "mat1 and mat2 shapes cannot be multiplied (4x5 and 2x3)"));
  CHECK(contains(message_of([&] { linear(ramp({}), w); }), "at least 1D"));
  CHECK(contains(message_of([&] { linear(ramp({2, 2, 2}), ramp({2})); }), "weight must be a matrix"));
}

TEST_CASE("gradients of linear") {
  const auto f = [](const std::vector<Tensor>& in) { return linear(in[0], in[1], in[2]); };
  check_gradients(f, {noise({2, 3}), noise({4, 3}, 2), noise({4}, 3)});
  check_gradients(f, {noise({2, 2, 3}), noise({4, 3}, 2), noise({4}, 3)});
}
