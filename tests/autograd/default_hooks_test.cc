// Saved-tensor hooks of a scope: autograd/saved_tensor_default_hooks.h.
#include "autograd/saved_tensor_default_hooks.h"

#include <cmath>
#include <stdexcept>
#include <thread>

#include "autograd/autograd.h"
#include "autograd/function.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;
using autograd::Function;
using autograd::variable_list;
using autograd::graph::saved_tensors_hooks;

namespace {

Tensor leaf(double value = 3) { return full({2}, value, kDouble).requires_grad_(); }

bool close(const Tensor& a, const Tensor& b) {
  return a.sub(b).abs().max().item<double>() <= 1e-12 * b.abs().max().item<double>();
}

std::any keep(const Tensor& t) { return t; }
Tensor give(const std::any& kept) { return std::any_cast<Tensor>(kept); }

// Counts its calls, and keeps copies.
struct Counter {
  int packed = 0, unpacked = 0;
  saved_tensors_hooks scope() {
    return saved_tensors_hooks(
        [this](const Tensor& t) -> std::any {
          ++packed;
          return t.detach().clone();
        },
        [this](const std::any& kept) {
          ++unpacked;
          return std::any_cast<Tensor>(kept);
        });
  }
};

// Saves its input and its output.
struct Cube : Function<Cube> {
  static Tensor forward(autograd::AutogradContext* ctx, Tensor x) {
    const Tensor y = x * x * x;
    ctx->save_for_backward({x, y});
    return y;
  }
  static variable_list backward(autograd::AutogradContext* ctx, variable_list grads) {
    const variable_list saved = ctx->get_saved_variables();
    return {grads[0] * saved[1] / saved[0] * 3};
  }
};

}  // namespace

TEST_CASE("default hooks: everything that the scope saves goes through them, and nothing else does") {
  const Tensor x = leaf(), w = leaf(2);
  Counter seen;
  Tensor inside;
  {
    const auto scope = seen.scope();
    inside = (x * w).exp();  // x, w, and exp's output
  }
  CHECK(seen.packed == 3);
  const Tensor outside = x * w;
  CHECK(seen.packed == 3);
  CHECK(seen.unpacked == 0);
  inside.sum().backward({}, /*retain_graph=*/true);
  CHECK(seen.unpacked == 3);
  inside.sum().backward();  // each backward asks anew
  CHECK(seen.unpacked == 6);
  CHECK(close(x.grad(), (x * w).exp() * w * 2));
  outside.sum().backward();
  CHECK(seen.unpacked == 6);
  CHECK(contains(message_of([&] { inside.sum().backward(); }), "backward through the graph a second time"));
}

TEST_CASE("default hooks: of nested scopes the innermost alone") {
  const Tensor x = leaf();
  Counter outer, inner;
  const auto outer_scope = outer.scope();
  {
    const auto inner_scope = inner.scope();
    x.exp();
    CHECK(inner.packed == 1);
  }
  CHECK(outer.packed == 0);
  x.exp();
  CHECK(outer.packed == 1);
  CHECK(inner.packed == 1);
}

TEST_CASE("default hooks: pack is given an input with its history and without recording, an output without history") {
  const Tensor x = leaf(), h = x * 2;
  bool recording = true;
  std::vector<Tensor> given;
  const saved_tensors_hooks scope(
      [&](const Tensor& t) -> std::any {
        recording = GradMode::is_enabled();
        given.push_back(t);
        return t;
      },
      give);
  std::weak_ptr<autograd::Node> alive;
  {
    const Tensor square = h.mul(h);
    CHECK(given.size() == 2);
    CHECK(given[0].is_same(h));
    CHECK_FALSE(recording);
    const Tensor y = x.exp();
    CHECK(given.size() == 3);
    CHECK_FALSE(given[2].requires_grad());
    CHECK(given[2].is_alias_of(y));
    alive = y.grad_fn();
  }
  CHECK(alive.expired());  // though the hook kept the output
}

TEST_CASE("default hooks: the unpacked tensor has the history of the saved one") {
  const Tensor x = leaf(2), h = x * 1;
  Counter seen;
  Tensor y;
  {
    const auto scope = seen.scope();
    y = h * h * h;
  }
  const Tensor g = autograd::grad({y.sum()}, {x}, {}, {}, /*create_graph=*/true)[0];
  CHECK(values(g) == std::vector<double>{12, 12});
  CHECK(values(autograd::grad({g.sum()}, {x})[0]) == std::vector<double>{12, 12});
}

TEST_CASE("default hooks: what a node keeps in another precision") {
  const Tensor x = full({2}, 1.0 + 1e-9, kDouble).requires_grad_();
  Tensor y;
  {
    const saved_tensors_hooks scope([](const Tensor& t) -> std::any { return t.to(kFloat); },
                                    [](const std::any& kept) { return std::any_cast<Tensor>(kept).to(kDouble); });
    y = x * x;
  }
  x.unsafeGetTensorImpl()->bump_version();  // the hooks have a copy: no version is checked
  y.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{2, 2});
}

TEST_CASE("default hooks: of a Function, of a view that is written, of a number") {
  const Tensor x = leaf();
  Counter seen;
  Tensor y, base;
  {
    const auto scope = seen.scope();
    y = Cube::apply(x);
    CHECK(seen.packed == 2);
    base = x * 2;  // the 2 is not the user's tensor
    CHECK(seen.packed == 2);
    Tensor view = base.select(0, 0);
    view.exp_();
    CHECK(seen.packed == 3);
  }
  y.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{27, 27});
  x.mutable_grad().reset();
  base.sum().backward();
  CHECK(close(x.grad().select(0, 0), full({}, 2 * std::exp(6.0), kDouble)));
}

TEST_CASE("default hooks: one that throws, or writes to its argument, stops the call and leaves the next one whole") {
  const Tensor x = leaf();
  {
    const saved_tensors_hooks scope([](const Tensor&) -> std::any { throw std::runtime_error("no room"); }, give);
    CHECK_THROWS_WITH(x.mul(x), "no room");
    CHECK(GradMode::is_enabled());
  }
  {
    const saved_tensors_hooks scope([](const Tensor& t) -> std::any { return t.mul_(2); }, give);
    CHECK(contains(message_of([&] { x.mul(x); }), "A saved tensor pack hook is modifying its input in place"));
  }
  Tensor y;
  {
    const saved_tensors_hooks scope(keep, [](const std::any&) -> Tensor { throw std::runtime_error("lost"); });
    y = x * x;
  }
  CHECK_THROWS_WITH(y.sum().backward(), "lost");
  CHECK_FALSE(x.grad().defined());
  (x * x).sum().backward();
  CHECK(x.grad().defined());
}

TEST_CASE("default hooks: on the thread of a deeply nested backward, and not on others") {
  const Tensor x = leaf();
  Counter seen;
  const auto scope = seen.scope();
  std::thread([&] { x.exp(); }).join();
  CHECK(seen.packed == 0);
  // One backward inside the other, until the inner one is on a thread of its own.
  std::function<void(int)> nest = [&](int depth) {
    const AutoGradMode recording(true);
    const Tensor y = x.exp();
    y.register_hook([&, depth](const Tensor&) {
      if (depth > 0) nest(depth - 1);
    });
    y.sum().backward();
  };
  nest(70);
  CHECK(seen.packed == 71);
}

TEST_CASE("default hooks: push, pop, disable") {
  CHECK_FALSE(SavedTensorDefaultHooks::get_hooks().has_value());
  CHECK(contains(message_of([] { SavedTensorDefaultHooks::pop_hooks(); }), "more were popped than pushed"));
  CHECK(contains(message_of([] { SavedTensorDefaultHooks::push_hooks(keep, nullptr); }), "a hook is empty"));
  SavedTensorDefaultHooks::push_hooks(keep, give);
  CHECK(SavedTensorDefaultHooks::get_hooks().has_value());
  CHECK(contains(message_of([] { SavedTensorDefaultHooks::disable("not in here"); }), "not in here"));
  CHECK(SavedTensorDefaultHooks::is_enabled());
  const auto [pack, unpack] = SavedTensorDefaultHooks::pop_hooks();
  CHECK((pack && unpack));
  SavedTensorDefaultHooks::disable("not in here");
  CHECK(SavedTensorDefaultHooks::get_disabled_error_message() == "not in here");
  CHECK(contains(message_of([] { saved_tensors_hooks scope(keep, give); }), "not in here"));
  SavedTensorDefaultHooks::enable();
  CHECK(SavedTensorDefaultHooks::is_enabled());
  CHECK_FALSE(SavedTensorDefaultHooks::get_hooks().has_value());
}
