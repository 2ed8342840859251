#include "library/custom_autograd.h"

#include <doctest/doctest.h>

#include "autograd/autograd.h"
#include "core/autograd_state.h"
#include "library/custom_op.h"
#include "library/testing.h"
#include "ops/testing/testing.h"

namespace gb {
namespace {

using autograd::AutogradContext;
using tests::contains;
using tests::message_of;
using tests::noise;
using tests::ramp;
using tests::values;
using List = std::vector<Tensor>;

Tensor leaf(IntArrayRef sizes) { return ramp(sizes).requires_grad_(); }

TEST_CASE("several outputs, a list of tensors, and an argument without gradient") {
  const CustomOpDef op = custom_op("lynx_cortex::sums(Tensor[] xs, int n, Tensor y) -> (Tensor, Tensor)",
                                   [](TensorList xs, int64_t n, const Tensor& y) {
                                     return std::make_tuple(xs[0].add(xs[1]).mul(n), y.mul(y));
                                   })
                             .register_autograd(
                                 [](AutogradContext& ctx, const List& g) {
                                   const int64_t n = ctx.saved_data["n"].toInt();
                                   const Tensor y = ctx.get_saved_variables()[0];
                                   return List{g[0].mul(n), g[0].mul(n), Tensor(), g[1].mul(y).mul(2)};
                                 },
                                 [](AutogradContext& ctx, ArrayRef<IValue> inputs, const IValue& output) {
                                   CHECK(output.toTupleRef().size() == 2);
                                   ctx.saved_data["n"] = inputs[1];
                                   ctx.save_for_backward({inputs[2].toTensor()});
                                 });
  const List xs{leaf({2}), leaf({2})};
  const Tensor y = leaf({2});
  const auto [a, b] = op.call<std::tuple<Tensor, Tensor>>(xs, 5, y);
  const auto grads = autograd::grad({a.sum(), b.sum()}, {xs[0], xs[1], y});
  CHECK(values(grads[0]) == std::vector<double>{5, 5});
  CHECK(values(grads[2]) == std::vector<double>{0, 2});
}

TEST_CASE("two outputs of which one is a list: one gradient per element, zeros where none came") {
  std::vector<size_t> seen;
  const CustomOpDef op = custom_op("lynx_cortex::split(Tensor x) -> (Tensor, Tensor[])",
                                   [](const Tensor& x) { return std::make_tuple(x.mul(2), List{x.mul(3), x.mul(4)}); })
                             .register_autograd([&](AutogradContext&, const List& g) {
                               seen.push_back(g.size());
                               return g[0].mul(2).add(g[1].mul(3)).add(g[2].mul(4));
                             });
  const Tensor x = leaf({2});
  const auto [first, rest] = op.call<std::tuple<Tensor, List>>(x);
  REQUIRE(rest.size() == 2);
  CHECK(first.grad_fn() == rest[1].grad_fn());
  rest[1].sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{4, 4});
  CHECK(seen == std::vector<size_t>{3});
}

TEST_CASE("an optional tensor, there and absent; None inside a list keeps its place") {
  const CustomOpDef op = custom_op("lynx_cortex::affine(Tensor x, Tensor? w, Tensor?[] more) -> Tensor",
                                   [](const Tensor& x, const std::optional<Tensor>& w,
                                      const gb::List<std::optional<Tensor>>& more) {
                                     Tensor y = w ? x.mul(*w) : x.clone();
                                     for (size_t i = 0; i < more.size(); ++i) {
                                       const std::optional<Tensor> t = more[i];
                                       if (t) y = y.add(*t);
                                     }
                                     return y;
                                   })
                             .register_autograd(
                                 [](AutogradContext& ctx, const List& g) {
                                   const List saved = ctx.get_saved_variables();
                                   List grads{saved[1].defined() ? g[0].mul(saved[1]) : g[0],
                                              saved[1].defined() ? g[0].mul(saved[0]) : Tensor()};
                                   for (const IValue& there : ctx.saved_data["there"].toListRef())
                                     grads.push_back(there.toBool() ? g[0] : Tensor());
                                   return grads;
                                 },
                                 [](AutogradContext& ctx, ArrayRef<IValue> in, const IValue&) {
                                   ctx.save_for_backward({in[0].toTensor(), in[1].isNone() ? Tensor() : in[1].toTensor()});
                                   std::vector<bool> there;
                                   for (const IValue& t : in[2].toListRef()) there.push_back(t.isTensor());
                                   gb::List<bool> list;
                                   for (const bool t : there) list.push_back(t);
                                   ctx.saved_data["there"] = IValue(list);
                                 });
  const Tensor x = leaf({2}), w = leaf({2}), z = leaf({2});
  using Optionals = std::vector<std::optional<Tensor>>;
  op.call<Tensor>(x, std::nullopt, Optionals{}).sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{1, 1});
  op.call<Tensor>(x, w, Optionals{}).sum().backward();
  CHECK(values(w.grad()) == std::vector<double>{0, 1});
  op.call<Tensor>(x.detach(), std::nullopt, Optionals{std::nullopt, z}).sum().backward();
  CHECK(values(z.grad()) == std::vector<double>{1, 1});
  CHECK_FALSE(op.call<Tensor>(x.detach(), std::nullopt, Optionals{std::nullopt}).requires_grad());
}

TEST_CASE("keyword-only inputs come apart from the positional ones, and need no gradient place") {
  const auto forward = [](const Tensor& x, double by, std::optional<int64_t> twice) {
    return x.mul(by * (twice ? static_cast<double>(*twice) : 1));
  };
  const auto backward = [](AutogradContext& ctx, const List& g) {
    return List{g[0].mul(ctx.saved_data["by"].toDouble())};
  };
  const CustomOpDef op = custom_op("lynx_cortex::scale(Tensor x, *, float by=3., int? twice=None) -> Tensor", forward)
                             .register_autograd(backward, [](AutogradContext& ctx, ArrayRef<IValue> inputs,
                                                             ArrayRef<IValue> keyword_only, const IValue&) {
                               CHECK(inputs.size() == 1);
                               REQUIRE(keyword_only.size() == 2);
                               CHECK(keyword_only[1].isNone());
                               ctx.saved_data["by"] = keyword_only[0];
                             });
  const Tensor x = leaf({2});
  op.call<Tensor>(x).sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{3, 3});
  const CustomOpDef positional_only =
      custom_op("lynx_cortex::scale2(Tensor x, *, float by=3., int? twice=None) -> Tensor", forward)
          .register_autograd([](AutogradContext&, const Tensor& g) { return g; },
                             [](AutogradContext&, ArrayRef<IValue> inputs, const IValue&) { CHECK(inputs.size() == 1); });
  positional_only.call<Tensor>(x).sum().backward();
}

TEST_CASE("needs_input_grad, and gradients that did not arrive without materialising") {
  const CustomOpDef op = custom_op("lynx_cortex::two(Tensor x, Tensor y) -> (Tensor, Tensor)",
                                   [](const Tensor& x, const Tensor& y) { return std::make_tuple(x.clone(), y.clone()); })
                             .register_autograd(
                                 [](AutogradContext& ctx, const List& g) {
                                   CHECK(ctx.needs_input_grad(0));
                                   CHECK_FALSE(ctx.needs_input_grad(1));
                                   CHECK(g[0].defined());
                                   CHECK_FALSE(g[1].defined());
                                   return List{g[0], Tensor()};
                                 },
                                 [](AutogradContext& ctx, ArrayRef<IValue>, const IValue&) { ctx.set_materialize_grads(false); });
  const Tensor x = leaf({2});
  const auto [a, b] = op.call<std::tuple<Tensor, Tensor>>(x, ramp({2}));
  a.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{1, 1});
}

TEST_CASE("a kernel, a setup_context and a backward that throw: nothing recorded, no switch left, the next call works") {
  std::string who;
  const auto maybe = [&](const char* name) {
    if (who == name) throw ValueError(GB_SOURCE_LOCATION(), std::string(name) + " refuses");
  };
  const CustomOpDef op = custom_op("lynx_cortex::moody(Tensor x) -> Tensor", [&](const Tensor& x) {
                           maybe("kernel");
                           return x.mul(2);
                         }).register_autograd([&](AutogradContext&, const Tensor& g) {
                             maybe("backward");
                             return g.mul(2);
                           }, [&](AutogradContext&, ArrayRef<IValue>, const IValue&) { maybe("setup_context"); });
  const Tensor x = leaf({2});
  const impl::LocalDispatchKeySet before = impl::tls_local_dispatch_key_set();
  for (const char* name : {"kernel", "setup_context"}) {
    who = name;
    CHECK(contains(message_of([&] { op.call<Tensor>(x); }), std::string(name) + " refuses"));
    CHECK(GradMode::is_enabled());
    CHECK((impl::tls_local_dispatch_key_set().excluded_ == before.excluded_));
    CHECK((impl::tls_local_dispatch_key_set().included_ == before.included_));
  }
  who = "";
  const Tensor y = op.call<Tensor>(x), z = op.call<Tensor>(x);
  who = "backward";
  CHECK(contains(message_of([&] { y.sum().backward(); }), "backward refuses"));
  CHECK_FALSE(x.grad().defined());
  who = "";
  z.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{2, 2});
}

TEST_CASE("a backward with the wrong number or shape of gradients, or one for a number") {
  const auto backward_gives = [](List grads) {
    const CustomOpDef op = custom_op("lynx_cortex::two(Tensor x, int n, Tensor y) -> Tensor",
                                     [](const Tensor& x, int64_t, const Tensor& y) { return x.add(y); })
                               .register_autograd([=](AutogradContext&, const List&) { return grads; });
    const Tensor x = leaf({2}), z = op.call<Tensor>(x, 1, x);
    return message_of([&] { z.sum().backward(); });
  };
  const Tensor right = ramp({2}), wrong = ramp({3});
  CHECK(backward_gives({right, Tensor(), right}) == "");
  CHECK(backward_gives({right, Tensor(), right, Tensor()}) == "");  // surplus undefined ones are dropped
  CHECK(contains(backward_gives({right}), "returned an incorrect number of gradients (expected 3, got 1)"));
  CHECK(contains(backward_gives({right, right, right}), "at position 1"));
  CHECK(contains(backward_gives({wrong, Tensor(), right}), "got [3] but expected shape compatible with [2]"));
}

}  // namespace
}  // namespace gb
