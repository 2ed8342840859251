// Several threads that run backward through the same nodes: what a node saved may be read by one and released by another.
#include <atomic>
#include <thread>

#include "autograd/autograd.h"
#include "autograd/function.h"
#include "autograd/saved_tensor_default_hooks.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;
using autograd::variable_list;

namespace {

constexpr int kRounds = 200;

struct Square : autograd::Function<Square> {
  static Tensor forward(autograd::AutogradContext* ctx, Tensor x) {
    ctx->save_for_backward({x});
    return x * x;
  }
  static variable_list backward(autograd::AutogradContext* ctx, variable_list grads) {
    return {grads[0] * 2 * ctx->get_saved_variables()[0]};
  }
};

// Nodes that save an input, their output, and a list; one of a user; a write to a view.
Tensor graph(const Tensor& x) {
  const Tensor h = (x * x).exp(), base = h * 2;
  Tensor view = base.select(0, 0);
  view.mul_(x.select(0, 1));
  return (cat({base, h}, 0).tanh() * 3).sum() + Square::apply(base).sum();
}

// `body` in two threads that start together.
template <class Body>
void twice_at_once(const Body& body) {
  std::atomic<int> there{0};
  const auto run = [&](int which) {
    ++there;
    while (there < 2) std::this_thread::yield();
    body(which);
  };
  std::thread other([&] { run(1); });
  run(0);
  other.join();
}

}  // namespace

TEST_CASE("shared nodes: two threads that keep the graph get the gradient of one") {
  const Tensor x = noise({2, 3}).requires_grad_();
  const Tensor y = graph(x);
  const auto expected = values(autograd::grad({y}, {x}, {}, /*retain_graph=*/true)[0]);
  std::atomic<int> wrong{0};
  twice_at_once([&](int) {
    for (int i = 0; i < kRounds; ++i)
      if (values(autograd::grad({y}, {x}, {}, /*retain_graph=*/true)[0]) != expected) ++wrong;
  });
  CHECK(wrong == 0);
}

TEST_CASE("shared nodes: one thread releases what another one reads: the right gradient or a refusal") {
  const Tensor x = noise({2, 3}).requires_grad_();
  const auto expected = values(autograd::grad({graph(x)}, {x})[0]);
  std::atomic<int> wrong{0}, done{0};
  for (int i = 0; i < kRounds; ++i) {
    const Tensor y = graph(x);
    twice_at_once([&](int which) {
      Tensor g;
      const std::string refusal = message_of([&] { g = autograd::grad({y}, {x}, {}, /*retain_graph=*/which == 0)[0]; });
      if (refusal.empty()) {
        ++done;
        if (values(g) != expected) ++wrong;
      } else if (!contains(refusal, "backward through the graph a second time")) {
        ++wrong;
      }
    });
  }
  CHECK(wrong == 0);
  CHECK(done >= kRounds);  // one of the two at least
}

TEST_CASE("shared nodes: the unpack hook of one saved tensor runs in one thread at a time") {
  const Tensor x = noise({3}).requires_grad_();
  std::atomic<int> inside{0}, together{0}, calls{0};
  Tensor y;
  {
    const autograd::graph::saved_tensors_hooks scope(
        [](const Tensor& t) -> std::any { return t.detach(); },
        [&](const std::any& kept) {
          if (++inside > 1) ++together;
          std::this_thread::yield();
          ++calls, --inside;
          return std::any_cast<Tensor>(kept);
        });
    y = x.exp().sum();
  }
  twice_at_once([&](int) {
    for (int i = 0; i < kRounds; ++i) autograd::grad({y}, {x}, {}, /*retain_graph=*/true);
  });
  CHECK(together == 0);
  CHECK(calls == 2 * kRounds);
}

TEST_CASE("shared nodes: an unpack hook may run backward through its own node") {
  const Tensor x = noise({3}).requires_grad_();
  Tensor y;
  bool nested = false;
  {
    const autograd::graph::saved_tensors_hooks scope([](const Tensor& t) -> std::any { return t.detach(); },
                                                     [&](const std::any& kept) {
                                                       if (!std::exchange(nested, true))
                                                         autograd::grad({y}, {x}, {}, /*retain_graph=*/false);
                                                       return std::any_cast<Tensor>(kept);
                                                     });
    y = x.exp().sum();
  }
  CHECK(values(autograd::grad({y}, {x}, {}, /*retain_graph=*/true)[0]) == values(x.exp()));
  CHECK(nested);
}

TEST_CASE("shared nodes: an unpack hook that nests so deep that a fresh thread goes on") {
  constexpr int kDepth = 150;
  const Tensor x = noise({3}).requires_grad_();
  Tensor y;
  int depth = 0;
  {
    const autograd::graph::saved_tensors_hooks scope([](const Tensor& t) -> std::any { return t.detach(); },
                                                     [&](const std::any& kept) {
                                                       if (depth < kDepth) {
                                                         ++depth;
                                                         autograd::grad({y}, {x}, {}, /*retain_graph=*/true);
                                                       }
                                                       return std::any_cast<Tensor>(kept);
                                                     });
    y = x.exp().sum();
  }
  CHECK(values(autograd::grad({y}, {x}, {}, /*retain_graph=*/true)[0]) == values(x.exp()));
  CHECK(depth == kDepth);
}

TEST_CASE("shared nodes: a retained gradient and a leaf's are the sums over both threads") {
  const Tensor x = full({2}, 3, kDouble).requires_grad_();
  const Tensor h = x * 2;
  h.retain_grad();
  const Tensor y = (h * h).sum();
  twice_at_once([&](int) {
    for (int i = 0; i < kRounds; ++i) y.backward({}, /*retain_graph=*/true);
  });
  const double n = 2.0 * kRounds;
  CHECK(values(h.grad()) == std::vector<double>{12 * n, 12 * n});
  CHECK(values(x.grad()) == std::vector<double>{24 * n, 24 * n});
}

TEST_CASE("shared nodes: two threads build on one node, and on one leaf") {
  const Tensor x = full({2}, 3, kDouble).requires_grad_();
  const Tensor h = x * 2;
  std::atomic<int> wrong{0};
  twice_at_once([&](int) {
    for (int i = 0; i < kRounds; ++i)
      if (values(autograd::grad({(h * x).sum()}, {x}, {}, /*retain_graph=*/true)[0]) != std::vector<double>{12, 12}) ++wrong;
  });
  CHECK(wrong == 0);
}
