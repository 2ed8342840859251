// Hooks: who runs when, and what each sees. The order is checked on LibTorch in tests/libtorch/tape_programs_test.cc.
#include "autograd/function_hook.h"

#include "autograd/autograd.h"
#include "autograd/engine.h"
#include "autograd/tensor_hooks.h"
#include "autograd/view.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;
using autograd::grad;
using autograd::variable_list;

namespace {

Tensor& scale_(const Tensor& t, double k) { return mul__scalar_op().call(const_cast<Tensor&>(t), k); }
Tensor leaf() { return ones({2}, kDouble).requires_grad_(); }

using Log = std::vector<std::string>;

struct LoggingPreHook final : autograd::FunctionPreHook {
  LoggingPreHook(Log& log, std::string name) : log(log), name(std::move(name)) {}
  variable_list operator()(const variable_list& grads) override {
    log.push_back(name);
    return grads;
  }
  Log& log;
  const std::string name;
};

struct LoggingPostHook final : autograd::FunctionPostHook {
  LoggingPostHook(Log& log, std::string name, double factor = 1) : log(log), name(std::move(name)), factor(factor) {}
  variable_list operator()(const variable_list& outputs, const variable_list& inputs) override {
    log.push_back(name + " " + std::to_string(outputs.size()) + " of " + std::to_string(inputs.size()));
    variable_list results = outputs;
    for (Tensor& t : results) t = t * factor;
    return results;
  }
  Log& log;
  const std::string name;
  const double factor;
};

struct CountingPostAccumulateHook final : autograd::PostAccumulateGradHook {
  CountingPostAccumulateHook(Log& log) : log(log) {}
  void operator()(const Tensor& leaf) override {
    log.push_back("accumulated " + std::to_string(values(leaf.grad())[0]).substr(0, 1));
  }
  Log& log;
};

auto logs(Log& log, const char* name) {
  return [&log, name](const Tensor&) { log.push_back(name); };
}

}  // namespace

TEST_CASE("hooks: backward with inputs= retains the gradient of a computed one, unless the call is refused") {
  const Tensor x = full({2}, 3, kDouble).requires_grad_(), h = x * 2, other = x * 1;
  const Tensor y = h * h;
  const std::vector<Tensor> inputs{h, x};
  CHECK_FALSE(message_of([&] { y.backward({}, {}, false, inputs); }).empty());                // not a scalar
  CHECK_FALSE(message_of([&] { y.backward(ones({3}, kDouble), {}, false, inputs); }).empty());  // another size
  CHECK_FALSE(message_of([&] { other.detach().backward({}, {}, false, inputs); }).empty());   // no gradient
  CHECK_FALSE(message_of([&] { y.backward(ones({2}, kDouble), {}, false, std::vector<Tensor>{h, ones({2}, kDouble)}); }).empty());
  CHECK_FALSE(h.retains_grad());
  y.backward(ones({2}, kDouble), {}, false, inputs);
  CHECK(h.retains_grad());
  CHECK(values(h.grad()) == std::vector<double>{12, 12});
  // A view that was a leaf until its base was written has a grad_fn now: that decides.
  const Tensor base = full({2}, 1, kDouble), view = base.view({2, 1});
  base.mul_(x);
  base.backward(ones({2}, kDouble), {}, false, std::vector<Tensor>{view});
  CHECK(view.retains_grad());
}

TEST_CASE("hooks: in the order of PyTorch, each sees what the one before it made of the gradient") {
  Log log;
  const Tensor x = leaf();
  const Tensor h = x * 2;
  h.grad_fn()->add_pre_hook(std::make_unique<LoggingPreHook>(log, "node pre"));
  h.grad_fn()->add_post_hook(std::make_unique<LoggingPostHook>(log, "node post"));
  h.retain_grad();
  CHECK(h.register_hook([&](const Tensor& g) {
    log.push_back("first");
    return g * 10;
  }) == 0);
  CHECK(h.register_hook([&](const Tensor& g) {
    log.push_back("second sees " + std::to_string(values(g)[0]).substr(0, 2));
  }) == 1);
  x.register_hook(logs(log, "leaf"));
  autograd::impl::set_post_acc_grad_hooks(x, std::make_unique<CountingPostAccumulateHook>(log));
  (h * 1).sum().backward();
  CHECK(log == Log{"first", "second sees 10", "node pre", "node post 1 of 1", "leaf", "accumulated 2"});
  CHECK(values(h.grad()) == std::vector<double>{10, 10});  // retain_grad comes last of the tensor's
  CHECK(values(x.grad()) == std::vector<double>{20, 20});
}

TEST_CASE("hooks: on a leaf they run before grad is added to, and outlive the accumulator") {
  const Tensor x = leaf();
  x.register_hook([](const Tensor& g) { return g * 100; });
  for (const double expected : {100., 200.}) {
    x.sum().backward();
    CHECK(values(x.grad())[0] == expected);
  }
  CHECK(values(grad({x.sum()}, {x})[0]) == std::vector<double>{100, 100});
}

TEST_CASE("hooks: removed by number; a number that is not there is refused") {
  Log log;
  const Tensor x = leaf(), h = x * 2;
  const unsigned first = h.register_hook(logs(log, "first"));
  h.register_hook(logs(log, "second"));
  h.remove_hook(first);
  CHECK(contains(message_of([&] { h.remove_hook(5); }), "Invalid index, no hook at position 5"));
  CHECK(contains(message_of([&] { x.remove_hook(0); }), "Invalid index, no hook at position 0"));
  h.sum().backward();
  CHECK(log == Log{"second"});
}

TEST_CASE("hooks: the hooks of a value written in place stay with it, retain_grad goes to the new one") {
  Log log;
  const Tensor x = leaf(), h = x * 2;
  h.register_hook(logs(log, "old a"));
  h.retain_grad();
  h.register_hook([&](const Tensor& g) {
    log.push_back("old b");
    return g * 2;
  });
  scale_(h, 3);
  CHECK(h.register_hook(logs(log, "new")) == 0);
  CHECK(h.retains_grad());
  h.sum().backward();
  CHECK(log == Log{"new", "old a", "old b"});
  CHECK(values(h.grad()) == std::vector<double>{1, 1});
  CHECK(values(x.grad()) == std::vector<double>{12, 12});
}

TEST_CASE("hooks: of a base, after a write to its view") {
  const Tensor x = leaf(), base = x * 1;
  base.retain_grad();
  Log log;
  base.register_hook(logs(log, "before the write"));
  scale_(base.as_strided({1}, {1}, 1), 5);
  base.register_hook(logs(log, "after"));
  (base * 2).sum().backward();
  CHECK(log == Log{"after", "before the write"});
  CHECK(values(base.grad()) == std::vector<double>{2, 2});
  CHECK(values(x.grad()) == std::vector<double>{2, 10});
}

TEST_CASE("hooks: an answer of grad is taken before the hooks of a node that runs, after those of one that does not") {
  const Tensor x = leaf(), h = x * 2;
  int runs = 0;
  h.register_hook([&](const Tensor& g) {
    ++runs;
    return g * 10;
  });
  const Tensor y = (h * h).sum();
  const auto both = grad({y}, {h, x}, {}, true);
  CHECK(values(both[0]) == std::vector<double>{4, 4});
  CHECK(values(both[1]) == std::vector<double>{80, 80});
  CHECK(values(grad({y}, {h}, {}, true)[0]) == std::vector<double>{40, 40});
  CHECK(runs == 2);
}

TEST_CASE("hooks: a result of another shape or type, or out of nothing, is refused") {
  const Tensor x = leaf();
  const auto message = [&](auto hook) {
    const Tensor h = x * 2;
    h.register_hook(hook);
    return message_of([&] { h.sum().backward(); });
  };
  CHECK(contains(message([](const Tensor&) { return ones({3}, kDouble); }), "has changed the size of value"));
  CHECK(contains(message([](const Tensor&) { return ones({2}, kFloat); }),
                 "has changed the type of value (was CPUDoubleType got CPUFloatType)"));
  CHECK_FALSE(x.grad().defined());
  CHECK(contains(message_of([] { ones({2}).register_hook([](const Tensor&) {}); }),
                 "cannot register a hook on a variable that doesn't require gradient"));
  CHECK(contains(message_of([] { ones({2}).retain_grad(); }),
                 "can't retain_grad on Tensor that has requires_grad=False"));
}

TEST_CASE("hooks: one that throws ends the pass, and the next one works") {
  const Tensor x = leaf(), h = x * 2;
  const unsigned number = h.register_hook([](const Tensor&) -> Tensor {
    GB_THROW(ValueError, .what = "no more", .cause = "a test", .repair = "none", .chapter = chapters::kAutograd);
  });
  const std::string message = message_of([&] { (h * h).sum().backward({}, true); });
  CHECK(contains(message, "no more"));
  CHECK(contains(message, "while backward ran MulBackward1"));
  CHECK_FALSE(x.grad().defined());
  h.remove_hook(number);
  (h * 3).sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{6, 6});
}

TEST_CASE("hooks: retain_grad adds up over passes, does nothing on a leaf, and keeps no tensor alive") {
  const Tensor x = leaf();
  x.retain_grad();
  CHECK_FALSE(x.retains_grad());
  Tensor h = x * 2;
  h.retain_grad();
  h.retain_grad();
  const Tensor y = (h * 3).sum();
  y.backward({}, true);
  y.backward({}, true);
  CHECK(values(h.grad()) == std::vector<double>{6, 6});
  h.reset();
  y.backward();
  CHECK(values(x.grad()) == std::vector<double>{18, 18});
}

TEST_CASE("hooks: post hooks of a leaf's node, which may still take the gradient over; deleted by key") {
  Log log;
  const Tensor x = leaf();
  const Tensor y = x * 2;
  const auto leaf_node = y.grad_fn()->next_edge(0).function;
  leaf_node->add_post_hook(std::make_unique<LoggingPostHook>(log, "leaf post"));
  const uintptr_t key = y.grad_fn()->add_post_hook(std::make_unique<LoggingPostHook>(log, "tripled", 3));
  y.sum().backward({}, true);
  CHECK(log == Log{"tripled 1 of 1", "leaf post 0 of 1"});
  CHECK(values(x.grad()) == std::vector<double>{6, 6});
  CHECK(y.grad_fn()->del_post_hook(key));
  CHECK_FALSE(y.grad_fn()->del_post_hook(key));
  y.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{8, 8});
}

TEST_CASE("hooks: queue_callback runs at the end of the pass, and only there") {
  Log log;
  const Tensor x = leaf(), h = x * 2;
  h.register_hook([&](const Tensor&) {
    log.push_back("hook");
    autograd::Engine::get_default_engine().queue_callback([&] {
      log.push_back(x.grad().defined() ? "callback after the leaf" : "callback too early");
      autograd::Engine::get_default_engine().queue_callback([&] { log.push_back("its own callback"); });
    });
  });
  h.sum().backward();
  CHECK(log == Log{"hook", "callback after the leaf", "its own callback"});
  CHECK(contains(message_of([] { autograd::Engine::get_default_engine().queue_callback([] {}); }),
                 "Final callbacks can only be installed during backward pass"));
}

TEST_CASE("hooks: one that runs a backward of its own") {
  const Tensor x = leaf(), w = leaf();
  const Tensor h = x * 2;
  h.register_hook([&](const Tensor& g) {
    const AutoGradMode recording(true);  // off while nodes run, as in PyTorch
    (w * g).sum().backward();
  });
  h.sum().backward();
  CHECK(values(w.grad()) == std::vector<double>{1, 1});
  CHECK(values(x.grad()) == std::vector<double>{2, 2});
}
