#include "autograd/engine.h"

#include <thread>

#include "autograd/autograd.h"
#include "autograd/inference_mode.h"
#include "autograd/node.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;
using autograd::grad;

namespace {

Tensor leaf(double value) { return full({}, value, kDouble).requires_grad_(); }

}  // namespace

TEST_CASE("backward: product, sum over two paths, and accumulation over two calls") {
  const Tensor a = leaf(3), b = leaf(5);
  const Tensor y = a * b + a;  // dy/da = b + 1, dy/db = a
  y.backward({}, true);
  CHECK(a.grad().item<double>() == 6);
  CHECK(b.grad().item<double>() == 3);
  const Tensor seen = a.grad();
  y.backward();
  CHECK(a.grad().item<double>() == 12);
  CHECK(seen.is_same(a.grad()));  // in place: who holds it sees it change
}

TEST_CASE("backward: a node runs after all that point to it, once") {
  const Tensor x = leaf(2);
  const Tensor h = x * x;          // 4
  const Tensor y = h * h + h * 3;  // x^4 + 3 x^2
  CHECK(grad({y}, {x})[0].item<double>() == 4 * 8 + 6 * 2);
}

TEST_CASE("backward: broadcasting is undone and the dtype restored") {
  const Tensor b = ones({3}, kFloat).requires_grad_();
  const Tensor y = ones({2, 3}, kDouble) * b;
  y.sum().backward();
  CHECK((b.grad().sizes() == IntArrayRef{3}));
  CHECK((b.grad().scalar_type() == kFloat));
  CHECK(values(b.grad().to(kDouble)) == std::vector<double>{2, 2, 2});
}

TEST_CASE("create_graph: third derivative of x^4") {
  const Tensor x = leaf(2);
  Tensor y = x * x * x * x;
  for (const double expected : {32., 48., 48.}) {  // 4x^3, 12x^2, 24x
    y = grad({y}, {x}, {}, {}, true)[0];
    CHECK(y.item<double>() == expected);
  }
}

TEST_CASE("grad: of an intermediate tensor, with and without the leaf behind it") {
  const Tensor x = leaf(3);
  const Tensor h = x * x, y = h * h;
  const auto g = grad({y}, {h, x});
  CHECK(g[0].item<double>() == 18);
  CHECK(g[1].item<double>() == 108);
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("grad: of a tensor with respect to itself; allow_unused") {
  const Tensor x = leaf(3), unused = leaf(1);
  const auto g = grad({x}, {x, unused}, {}, {}, false, true);
  CHECK(g[0].item<double>() == 1);
  CHECK_FALSE(g[1].defined());
}

TEST_CASE("backward with inputs= keeps the gradient of a computed tensor, and goes no further") {
  const Tensor x = leaf(1), y = x * 2, z = y * 3;
  z.backward({}, {}, false, std::vector<Tensor>{y});
  CHECK(y.retains_grad());
  CHECK(y.grad().item<double>() == 3);
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("backward with inputs= reaches these leaves alone") {
  const Tensor a = leaf(3), b = leaf(5);
  (a * b).backward({}, {}, false, std::vector<Tensor>{a});
  CHECK(a.grad().item<double>() == 5);
  CHECK_FALSE(b.grad().defined());
}

TEST_CASE("backward: several roots, one of them behind another") {
  const Tensor x = leaf(2);
  const Tensor h = x * x, y = h * 3;
  autograd::backward({h, y}, {full({}, 10, kDouble), {}});
  CHECK(x.grad().item<double>() == (10 + 3) * 4);
}

TEST_CASE("a gradient is never shared: two leaves, and the caller") {
  const Tensor a = zeros({2}, kDouble).requires_grad_(), b = zeros({2}, kDouble).requires_grad_();
  const Tensor given = ones({2}, kDouble);
  (a + b).backward(given);
  CHECK_FALSE(a.grad().is_alias_of(b.grad()));
  CHECK_FALSE(a.grad().is_alias_of(given));
  CHECK_FALSE(b.grad().is_alias_of(given));
}

TEST_CASE("a chain of 1,000,000 nodes is built, runs and is destroyed without recursion") {
  constexpr int kLength = 1000000;
  const Tensor x = leaf(1), one = full({}, 1, kDouble);
  Tensor y = x;
  for (int i = 0; i < kLength; ++i) y = y * one;
  y.backward();
  CHECK(x.grad().item<double>() == 1);
  y.reset();
  y = x;
  for (int i = 0; i < kLength; ++i)
    y = y * y;  // here each node holds the next one through a saved tensor as well
  y.reset();
  CHECK(x.use_count() == 1);  // the tape is gone, and with it the leaf's AccumulateGrad
}

TEST_CASE("no grad, and grad inside of no grad") {
  const Tensor x = leaf(2);
  {
    const NoGradGuard guard;
    CHECK_FALSE((x * x).requires_grad());
    const AutoGradMode on(true);
    CHECK((x * x).requires_grad());
  }
  CHECK((x * x).requires_grad());
}

TEST_CASE("inference mode: no history, no version") {
  const Tensor x = leaf(2);
  Tensor inside;
  {
    const InferenceMode guard;
    CHECK(InferenceMode::is_enabled());
    inside = x * x;
    const InferenceMode normal(false);
    CHECK((x * x).requires_grad());
  }
  CHECK(inside.is_inference());
  CHECK_FALSE(inside.requires_grad());
  CHECK(contains(message_of([&] { x* inside; }), "Inference tensors cannot be saved for backward"));
}

TEST_CASE("threads: passes at the same time, onto one shared leaf") {
  const Tensor x = leaf(1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&x] {
      for (int i = 0; i < 200; ++i) (x * x).backward();
    });
  }
  for (std::thread& t : threads) t.join();
  CHECK(x.grad().item<double>() == 8 * 200 * 2);
}

TEST_CASE("properties: leaf, grad_fn, output_nr, data") {
  const Tensor x = leaf(2), y = x * x;
  CHECK(x.is_leaf());
  CHECK_FALSE(x.grad_fn());
  CHECK_FALSE(y.is_leaf());
  CHECK(y.requires_grad());
  CHECK(y.grad_fn()->name() == "MulBackward0");
  CHECK(y.output_nr() == 0);
  CHECK_FALSE(y.tensor_data().requires_grad());
  CHECK(y.tensor_data().is_alias_of(y));
  const Tensor data = x.data();
  data.fill_(7);
  CHECK(x._version() == 0);  // a fresh counter
  CHECK(x.item<double>() == 7);
}
