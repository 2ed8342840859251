#include "ops/layer_norm/layer_norm.h"

#include <cmath>

#include "autograd/autograd.h"
#include "autograd/node.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("layer_norm against the formula, over one and over two dimensions") {
  const Tensor x = noise({2, 3, 4}), w = noise({4}, 2), b = noise({4}, 3);
  const Tensor mean = x.mean({2}, true), d = x.sub(mean), variance = d.mul(d).mean({2}, true);
  const Tensor expected = d.div(variance.add(1e-5).sqrt()).mul(w).add(b);
  check_values(layer_norm(x, {4}, w, b), values(expected), 1e-14);
  const auto [y, m, rstd] = native_layer_norm(x, {3, 4}, {}, {}, 0.5);
  CHECK((m.sizes() == IntArrayRef{2, 1, 1}));
  check_values(m, values(x.mean({1, 2})), 1e-15);
  check_values(y, values(x.sub(m).mul(rstd)), 1e-14);
}

TEST_CASE("only the first result has a history; the node, and what it gives for a missing weight") {
  const Tensor x = noise({2, 4}).requires_grad_();
  const auto [y, mean, rstd] = native_layer_norm(x, {4}, {}, {}, 1e-5);
  CHECK(y.grad_fn()->name() == "NativeLayerNormBackward0");
  CHECK(!mean.requires_grad());
  CHECK(!rstd.requires_grad());
  const auto [grad_x, grad_w, grad_b] =
      native_layer_norm_backward(noise({2, 4}, 2), x.detach(), {4}, mean, rstd, {}, {}, {true, false, false});
  CHECK(grad_x.defined());
  CHECK(!grad_w.defined());
  CHECK(!grad_b.defined());
}

TEST_CASE("gradients of layer_norm, and of those: the backward is called again with what came back") {
  const auto gradients = [](const std::vector<Tensor>& in) {
    const AutoGradMode on(true);  // the numerical side calls with grad mode off
    const Tensor y = layer_norm(in[0], {4}, in[1], in[2]).mul(in[3]);
    const auto grads = autograd::grad({y.sum()}, {in[0], in[1], in[2]}, {}, {}, true);
    // Each of the three comes back with gradients of its own.
    return grads[0].mul(in[3]).sum().add(grads[1].mul(in[1]).sum()).add(grads[2].mul(in[2]).sum());
  };
  std::vector<Tensor> in{noise({2, 3, 4}), noise({4}, 2), noise({4}, 3), noise({2, 3, 4}, 4)};
  for (const Tensor& t : in) t.requires_grad_();
  check_gradients(gradients, in);
}

TEST_CASE("what layer_norm refuses") {
  const Tensor x = ramp({2, 3, 4});
  CHECK(contains(
      message_of([&] { layer_norm(x, {3}); }),
      "Given normalized_shape=[3], expected input with shape [*, 3], but got input of size [2, 3, 4]"));
  CHECK(contains(message_of([&] { layer_norm(x, {}); }),
                 "Expected normalized_shape to be at least 1-dimensional"));
  CHECK(contains(message_of([&] { layer_norm(x, {4}, ramp({3})); }),
                 "Expected weight to be of same shape as normalized_shape, but got weight of shape [3]"));
  CHECK(contains(message_of([&] { layer_norm(x, {4}, ramp({4}, kFloat)); }), "mixed dtype (CPU)"));
  CHECK_THROWS_AS(layer_norm(ramp({2, 4}, kLong), {4}), NotImplementedError);
}
