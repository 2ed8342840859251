#include <doctest/doctest.h>

#include "autograd/autograd.h"
#include "autograd/node.h"
#include "compile/compile.h"
#include "compile/testing.h"
#include "core/error.h"
#include "ops/linear/linear.h"
#include "ops/softmax/softmax.h"

namespace gb {
namespace {

using tests::has;
using tests::max_difference;
using tests::seeded;
using Tensors = std::vector<Tensor>;

Tensor leaf(IntArrayRef sizes, uint64_t seed) {
  const Tensor t = seeded(sizes, seed, kDouble);
  t.requires_grad_();
  return t;
}

}  // namespace

TEST_CASE("gradients of inputs and of lifted parameters are eager's") {
  const Tensor x = leaf({2, 8}, 1), w = leaf({5, 8}, 2), b = leaf({5}, 3), seed = seeded({2, 5}, 4, kDouble);
  const auto eager = [&](const Tensor& in) { return softmax(linear(in, w, b), -1); };
  const CompiledFunction compiled = compile(eager);
  const Tensor y = compiled(x);
  REQUIRE(y.grad_fn());
  CHECK(y.grad_fn()->name() == "CompiledBackward");
  CHECK(y.requires_grad());
  const Tensors actual = autograd::grad({y}, {x, w, b}, {seed});
  const Tensors expected = autograd::grad({eager(x)}, {x, w, b}, {seed});
  for (size_t i = 0; i < 3; ++i) CHECK(max_difference(actual[i], expected[i]) <= 1e-12);

  compiled(x).backward(seed);
  CHECK(max_difference(w.grad(), expected[1]) <= 1e-12);
  CHECK(compiled.stats().eager_calls == 0);
}

TEST_CASE("the region is one node of a longer tape") {
  const Tensor x = leaf({4}, 1);
  const CompiledFunction compiled = compile([](const Tensor& t) { return t.exp(); });
  const Tensors actual = autograd::grad({compiled(x.mul(x)).mul(2).sum()}, {x});
  const Tensors expected = autograd::grad({x.mul(x).exp().mul(2).sum()}, {x});
  CHECK(max_difference(actual[0], expected[0]) <= 1e-12);
}

TEST_CASE("create_graph: the backward can be differentiated again") {
  const Tensor x = leaf({4}, 1);
  const CompiledFunction compiled = compile([](const Tensor& t) { return t.exp().mul(t); });
  const auto second = [&](const Tensor& y) {
    const Tensor first = autograd::grad({y.sum()}, {x}, {}, {}, /*create_graph=*/true)[0];
    return autograd::grad({first.mul(first).sum()}, {x})[0];
  };
  CHECK(max_difference(second(compiled(x)), second(x.exp().mul(x))) <= 1e-12);
}

TEST_CASE("several outputs, one of them twice, one unused") {
  const Tensor x = leaf({3}, 1);
  const CompiledFunction compiled = compile([](const Tensors& in) {
    const Tensor e = in[0].exp();
    return Tensors{e, in[0].mul(3), e};
  });
  const Tensors y = compiled(Tensors{x});
  const Tensor actual = autograd::grad({y[0].add(y[2]).sum()}, {x})[0];
  CHECK(max_difference(actual, x.detach().exp().mul(2)) <= 1e-12);
}

TEST_CASE("no gradient wanted, no node; a view of an input keeps its history by running eagerly") {
  const Tensor x = leaf({2, 3}, 1);
  const CompiledFunction exp = compile([](const Tensor& t) { return t.exp(); });
  CHECK(!exp(x.detach()).requires_grad());
  const CompiledFunction transposed = compile([](const Tensor& t) { return t.t(); });
  LogCapture logs;
  const Tensor y = transposed(x);
  CHECK(y.grad_fn()->name() == "TBackward0");
  CHECK(transposed.stats().eager_calls == 1);
  CHECK(has(logs.text(CompileLog::recompiles), "an output is an input or a view of one"));
}

TEST_CASE("errors of the tape: changed in place since, backward twice") {
  const Tensor x = leaf({3}, 1), w = seeded({3}, 2, kDouble);
  const CompiledFunction compiled = compile([&](const Tensor& t) { return t.mul(w); });
  const Tensor y = compiled(x).sum();
  w.add_(w);
  CHECK_THROWS_AS(y.backward(), Error);
  const Tensor z = compiled(x).sum();
  z.backward();
  CHECK_THROWS_AS(z.backward(), Error);
}

TEST_CASE("inputs that depend on each other: no path is counted twice") {
  const CompiledFunction product = compile([](const Tensors& in) { return Tensors{in[0].mul(in[1])}; });
  const Tensor a = leaf({4}, 1);
  const auto gradient = [&](const Tensor& y) { return autograd::grad({y.sum()}, {a})[0]; };

  CHECK(max_difference(gradient(product(Tensors{a, a})[0]), gradient(a.mul(a))) <= 1e-12);
  const Tensor doubled = a.mul(2);
  CHECK(max_difference(gradient(product(Tensors{a, doubled})[0]), gradient(a.mul(a.mul(2)))) <= 1e-12);
  const Tensor square = a.mul(a);  // its producer saved tensors, which the inner pass must leave alone
  CHECK(max_difference(gradient(product(Tensors{a, square})[0]), gradient(a.mul(a.mul(a)))) <= 1e-12);

  const CompiledFunction times_a = compile([&](const Tensor& t) { return t.mul(a); });  // a is lifted, and above the input
  CHECK(max_difference(gradient(times_a(a.exp())), gradient(a.exp().mul(a))) <= 1e-12);
}

TEST_CASE("a held tensor with a grad_fn runs eagerly, with the right gradient") {
  const Tensor a = leaf({4}, 1), held = a.mul(a);
  const CompiledFunction compiled = compile([&](const Tensor& t) { return t.mul(held); });
  const Tensor actual = autograd::grad({compiled(a.exp()).sum()}, {a}, {}, /*retain_graph=*/true)[0];
  const Tensor expected = autograd::grad({a.exp().mul(held).sum()}, {a})[0];
  CHECK(max_difference(actual, expected) <= 1e-12);
  CHECK(compiled.stats().eager_calls == 1);
}

}  // namespace gb
