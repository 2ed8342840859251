#include "nn/checkpoint.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <stdexcept>
#include <thread>
#include <utility>

#include "autograd/anomaly_mode.h"
#include "autograd/autograd.h"
#include "autograd/node.h"
#include "autograd/saved_variable.h"
#include "core/error.h"
#include "core/warning.h"
#include "library/modes/memory_mode.h"
#include "nn/gpt.h"
#include "ops/autocast/autocast.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"
#include "tests/golden.h"

using namespace gb;
using namespace gb::tests;
using nn::checkpoint;
using nn::CheckpointOptions;

namespace {

// The gradients of x and w: those of f(x, w), and those of checkpoint(f, x, w).
template <class F>
std::vector<std::vector<double>> gradients(const F& f, bool with_checkpoint, const CheckpointOptions& options = {}) {
  manual_seed(7);
  const Tensor x = noise({4, 3}, 1).requires_grad_(), w = noise({3, 3}, 2).requires_grad_();
  const Tensor y = with_checkpoint ? checkpoint(options, f, x * 2, w) : f(x * 2, w);
  y.mul(noise(y.sizes(), 3)).sum().backward();
  return {values(y), values(x.grad()), values(w.grad())};
}

Tensor layer(const Tensor& x, const Tensor& w) { return x.mm(w).tanh().mul(x).exp(); }
Tensor dropping(const Tensor& x, const Tensor& w) { return dropout(dropout(x.mm(w), 0.5, true).exp(), 0.3, true) * x; }

struct InUse {
  size_t before = cpu_allocator_stats().in_use;
  size_t now() const { return cpu_allocator_stats().in_use - before; }
};

}  // namespace

TEST_CASE("checkpoint: the same values and gradients, bit for bit; backward runs the function once more") {
  int runs = 0;
  const auto counted = [&](const Tensor& x, const Tensor& w) { return ++runs, layer(x, w); };
  CHECK(gradients(counted, true) == gradients(layer, false));
  CHECK(runs == 2);
  CHECK(gradients(counted, true, CheckpointOptions().early_stop(false)) == gradients(layer, false));
  CHECK(runs == 4);
}

TEST_CASE("checkpoint: dropout draws the same mask again, and the generator is where it would be") {
  CHECK(gradients(dropping, true) == gradients(dropping, false));
  const uint64_t after = default_generator().get_offset();
  gradients(dropping, false);
  CHECK(default_generator().get_offset() == after);
  CHECK(gradients(dropping, true, CheckpointOptions().preserve_rng_state(false)) != gradients(dropping, false));
}

TEST_CASE("checkpoint: nested") {
  int outer_runs = 0, inner_runs = 0;
  const auto inner = [&](const Tensor& x, const Tensor& w) { return ++inner_runs, dropping(x, w); };
  const auto outer = [&](const Tensor& x, const Tensor& w) {
    ++outer_runs;
    const Tensor y = checkpoint(inner, layer(x, w), w);
    return checkpoint(layer, y, w) + y;
  };
  const auto plain = [](const Tensor& x, const Tensor& w) {
    const Tensor y = dropping(layer(x, w), w);
    return layer(y, w) + y;
  };
  CHECK(gradients(outer, true) == gradients(plain, false));
  CHECK(outer_runs == 2);
  CHECK(inner_runs == 3);  // in forward, when the outer function runs again, and for its own nodes
}

TEST_CASE("checkpoint: an input that needs no gradient, arguments that are no tensors, several results") {
  const Tensor x = noise({2, 2}), w = noise({2, 2}, 2).requires_grad_(), v = w.detach().clone().requires_grad_();
  const auto scaled = [&](const Tensor& t, double factor, const Tensor& none) {
    CHECK(!none.defined());
    return std::vector<Tensor>{t.mm(w).exp() * factor, t.sin()};
  };
  const std::vector<Tensor> both = checkpoint(scaled, x, 3.0, Tensor());
  CHECK(!both[1].requires_grad());
  both[0].sum().backward();
  (x.mm(v).exp() * 3).sum().backward();
  CHECK(values(w.grad()) == values(v.grad()));
  const NoGradGuard not_recorded;
  CHECK(!checkpoint(layer, x, w).requires_grad());
}

TEST_CASE("checkpoint: used twice, backward twice, and the gradient of the gradient") {
  const Tensor w = noise({3, 3}, 2);
  int runs = 0;
  const auto cube = [&](const Tensor& x) { return ++runs, x * x * x; };
  const Tensor x = noise({3}).requires_grad_();
  const std::vector<double> once = values(x.detach().pow(2) * 3);
  const Tensor y = checkpoint(cube, x);
  (y.sum() + (y * 2).sum()).backward({}, /*retain_graph=*/true);
  CHECK(runs == 2);
  check_values(x.grad(), values(tensor(once, kDouble) * 3), 1e-12);
  y.sum().backward({}, /*retain_graph=*/true);  // another pass, another run
  CHECK(runs == 3);
  check_values(x.grad(), values(tensor(once, kDouble) * 4), 1e-12);
  const Tensor g = autograd::grad({y.sum()}, {x}, {}, true, /*create_graph=*/true)[0];
  check_values(autograd::grad({g.sum()}, {x})[0], values(x.detach() * 6), 1e-12);
  CHECK(contains(message_of([&] { y.sum().backward(); }), "backward through the graph a second time"));
}

TEST_CASE("checkpoint: a backward inside of the function, and one that begins while another asks") {
  const Tensor x = noise({3}).requires_grad_();
  const auto with_penalty = [](const Tensor& t) {
    const Tensor g = autograd::grad({t.pow(3).sum()}, {t}, {}, true, /*create_graph=*/true)[0];
    return g * g;  // 9 t^4
  };
  checkpoint(with_penalty, x).sum().backward();
  check_values(x.grad(), values(x.detach().pow(3) * 36), 1e-12);
  x.mutable_grad().reset();
  const Tensor y = checkpoint(layer, x.unsqueeze(0), noise({3, 3}, 2));
  const std::vector<double> alone = values(autograd::grad({y.sum()}, {x}, {}, true)[0]);
  std::vector<double> nested;
  const Tensor sum = y.sum(), last = (y * 1).sum();
  bool outermost = true;
  y.register_hook([&](const Tensor&) {
    if (std::exchange(outermost, false)) nested = values(autograd::grad({sum}, {x}, {}, true)[0]);
  });
  last.backward();
  CHECK(values(x.grad()) == alone);
  CHECK(nested == alone);
}

TEST_CASE("checkpoint: two threads at once, each with a pass of its own") {
  const Tensor x = noise({40, 3}).requires_grad_(), w = noise({3, 3}, 2);
  const Tensor y = checkpoint(layer, x, w), a = y.sum(), b = (y * 2).sum();
  const std::vector<double> alone = values(autograd::grad({a}, {x}, {}, true)[0]);
  int wrong = 0;
  std::thread other([&] {
    for (int i = 0; i < 50; ++i) wrong += values(autograd::grad({b}, {x}, {}, true)[0].div(2)) != alone;
  });
  int mine = 0;
  for (int i = 0; i < 50; ++i) mine += values(autograd::grad({a}, {x}, {}, true)[0]) != alone;
  other.join();
  CHECK(wrong + mine == 0);
}

TEST_CASE("checkpoint: two threads run functions that draw; neither moves the other's numbers, nor the program's") {
  const auto run = [](const Tensor& y, const Tensor& x, const std::vector<double>& alone) {
    int wrong = 0;
    for (int i = 0; i < 30; ++i) wrong += values(autograd::grad({y}, {x}, {}, true)[0]) != alone;
    return wrong;
  };
  manual_seed(11);
  const Tensor x = noise({40, 3}).requires_grad_(), w = noise({3, 3}, 2);
  const Tensor a = checkpoint(dropping, x, w).sum(), b = checkpoint(dropping, x, w).sum();
  const std::vector<double> of_a = values(autograd::grad({a}, {x}, {}, true)[0]),
                            of_b = values(autograd::grad({b}, {x}, {}, true)[0]);
  const uint64_t before = default_generator().get_offset();
  CHECK(of_a != of_b);
  int wrong = 0;
  std::thread other([&] { wrong = run(b, x, of_b); });
  const int mine = run(a, x, of_a);
  other.join();
  CHECK(wrong + mine == 0);
  CHECK(default_generator().get_offset() == before);
}

TEST_CASE("checkpoint: the second run ends when every place has its tensor") {
  int ends = 0;
  const auto f = [&](const Tensor& x) {
    const Tensor y = x * x;
    ++ends;
    return y;
  };
  const Tensor x = noise({3}).requires_grad_();
  checkpoint(f, x).sum().backward();
  CHECK(ends == 1);
  checkpoint(CheckpointOptions().early_stop(false), f, x).sum().backward();
  CHECK(ends == 3);
}

TEST_CASE("checkpoint: a pass that fails after the second run keeps nothing of it") {
  const Tensor x = noise({40, 3}).requires_grad_(), w = noise({3, 3}, 2), h = x * 2;
  h.register_hook([](const Tensor&) -> Tensor { throw std::runtime_error("in a hook"); });
  const Tensor y = checkpoint(layer, h, w).sum();
  const InUse use;
  CHECK_THROWS_WITH(y.backward({}, /*retain_graph=*/true), "in a hook");
  CHECK(use.now() == 0);
}

TEST_CASE("checkpoint: what is unpacked outside of a pass is not kept") {
  const Tensor x = noise({3}).requires_grad_();
  const Tensor y = checkpoint([](const Tensor& t) { return t.exp().exp(); }, x);
  const InUse use;
  for (const autograd::SavedField& field : y.grad_fn()->saved()) {
    if (field.variable) CHECK(values(field.variable->unpack(y.grad_fn())) == values(y));
  }
  CHECK(use.now() == 0);
}

TEST_CASE("checkpoint: the early stop passes through a backward of the function, and anomaly mode says nothing") {
  struct Warnings final : WarningHandler {
    void process(const Warning& warning) override { all += warning.msg(); }
    std::string all;
  } warnings;
  const WarningUtils::WarningHandlerGuard handler(&warnings);
  const autograd::DetectAnomalyGuard guard;
  warnings.all.clear();  // that the mode is slow
  const Tensor x = noise({3}).requires_grad_();
  const auto slope = [](const Tensor& t) {  // the last tensor is saved inside of grad
    return autograd::grad({t.pow(3).sum()}, {t}, {}, true, /*create_graph=*/true)[0];
  };
  checkpoint(slope, x).sum().backward();
  check_values(x.grad(), values(x.detach() * 6), 1e-12);
  CHECK(warnings.all == "");
}

TEST_CASE("checkpoint: a function that does something else the second time is an error, and the next backward is whole") {
  const Tensor x = noise({3}).requires_grad_();
  int runs = 0;
  const auto second_run = [&] { return ++runs % 2 == 0; };
  const auto text_of = [&](const auto& f, const CheckpointOptions& options = {}) {
    runs = 0;
    const Tensor y = checkpoint(options, f, x);
    return message_of([&] { y.sum().backward(); });
  };
  const auto fewer = [&](const Tensor& t) { return second_run() ? t * 2 : t.exp() * t; };
  CHECK(contains(text_of(fewer), "A different number of tensors was saved"));
  CHECK(contains(text_of(fewer), "3 during forward, 0 during recomputation"));
  const auto more = [&](const Tensor& t) { return second_run() ? t.exp().exp() : t.exp(); };
  CHECK(contains(text_of(more, CheckpointOptions().early_stop(false)), "trying to save more tensors during recomputation"));
  const auto sizes = [&](const Tensor& t) { return second_run() ? t.narrow(0, 0, 2).exp() : t.exp(); };
  CHECK(contains(text_of(sizes), "different metadata than during the forward pass"));
  CHECK(contains(text_of(sizes), "Double of sizes [3] on cpu in forward, Double of sizes [2] on cpu recomputed"));
  const auto throws = [&](const Tensor& t) { return second_run() ? throw std::runtime_error("not again") : t.exp(); };
  runs = 0;
  const Tensor y = checkpoint(throws, x);
  CHECK_THROWS_WITH(y.sum().backward(), "not again");
  x.mutable_grad().reset();
  checkpoint([](const Tensor& t) { return t.exp(); }, x).sum().backward();
  CHECK(values(x.grad()) == values(x.detach().exp()));
}

TEST_CASE("checkpoint: a function that throws the first time leaves no hooks behind; a written argument is noticed") {
  const Tensor x = noise({3}).requires_grad_();
  CHECK_THROWS_WITH(checkpoint([](const Tensor&) -> Tensor { throw std::runtime_error("no"); }, x), "no");
  const Tensor h = x * 2, y = checkpoint([](const Tensor& t) { return t.exp(); }, h);
  h.add_(1);
  CHECK(contains(message_of([&] { y.sum().backward(); }), "modified by an inplace operation"));
}

TEST_CASE("checkpoint: the second run is in the autocast region of the first") {
  const auto gradient = [](bool with_checkpoint) {
    const Tensor x = noise({2, 3}, 1, kFloat).requires_grad_(), w = noise({3, 3}, 2, kFloat);
    Tensor y;
    {
      const autocast::AutocastGuard region(kCPU);
      y = with_checkpoint ? checkpoint(layer, x, w) : layer(x, w);
    }
    y.sum().backward();
    return values(x.grad());
  };
  CHECK(gradient(true) == gradient(false));
}

namespace {

struct Step {
  std::vector<std::vector<double>> gradients;
  size_t peak, left;  // bytes: the most that lived at once, and after backward
};
Step step_of(int64_t blocks, bool with_checkpoint) {
  manual_seed(3);
  nn::MiniGPT model(nn::MiniGPTOptions(600).layers(blocks).dropout(0.1).checkpoint(with_checkpoint));
  model->reset_parameters(Generator(1));
  const Tensor ids = randint(600, {8, 32}, Generator(2));
  for (const Tensor& p : model->parameters()) p.mutable_grad() = zeros_like(p);
  const InUse use;
  MemoryMode memory;
  {
    const DispatchModeGuard guard(&memory);
    model->loss(ids, ids).backward();
  }
  Step step{{}, memory.peak_bytes(), use.now()};
  for (const Tensor& p : model->parameters()) step.gradients.push_back(values(p.grad()));
  return step;
}

}  // namespace

TEST_CASE("checkpoint: the blocks of a MiniGPT, same gradients in less memory") {
  std::string text = "MiniGPT, 8 lines of 32 words: KiB of tensors, at most, in forward and backward\n";
  text += fmt::format("{:>6} {:>10} {:>12} {:>6}\n", "blocks", "all kept", "checkpoint", "part");
  for (const int64_t blocks : {1, 2, 4, 8}) {
    const Step plain = step_of(blocks, false), saving = step_of(blocks, true);
    CHECK(plain.gradients == saving.gradients);
    CHECK(plain.left == 0);
    CHECK(saving.left == 0);
    if (blocks == 8) CHECK(static_cast<double>(saving.peak) < 0.5 * static_cast<double>(plain.peak));
    text += fmt::format("{:>6} {:>10} {:>12} {:>6.2f}\n", blocks, plain.peak / 1024, saving.peak / 1024,
                        static_cast<double>(saving.peak) / static_cast<double>(plain.peak));
  }
  check_golden("nn/testdata/checkpoint_memory.golden", text);
}
