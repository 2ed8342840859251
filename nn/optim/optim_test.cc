#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/autograd_state.h"
#include "core/error.h"
#include "nn/linear.h"
#include "nn/optim/adamw.h"
#include "nn/optim/sgd.h"
#include "nn/optim/step_lr.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using gb::optim::AdamW;
using gb::optim::AdamWOptions;
using gb::optim::OptimizerParamGroup;
using gb::optim::SGD;
using gb::optim::SGDOptions;
using gb::tests::check_values;
using gb::tests::contains;
using gb::tests::message_of;
using gb::tests::values;

namespace {

using Names = std::vector<std::string>;

Tensor leaf(std::vector<double> numbers) { return tensor(numbers, kDouble).set_requires_grad(true); }

// The gradient of sum(p * p) is 2 p.
Tensor square_loss(const Tensor& p) { return p.mul(p).sum(); }

}  // namespace

TEST_CASE("SGD by hand: plain, weight decay, momentum, Nesterov") {
  const Tensor p = leaf({1, -2});
  SGD plain({p}, SGDOptions(0.25));
  square_loss(p).backward();
  const int64_t version = p._version();
  plain.step();
  check_values(p, {0.5, -1});
  CHECK(p._version() == version + 1);
  CHECK(p.is_leaf());
  plain.zero_grad();
  CHECK(!p.grad().defined());
  plain.step();  // no gradient: nothing happens
  check_values(p, {0.5, -1});
  CHECK(p._version() == version + 1);

  const Tensor q = leaf({1});
  SGD decay({q}, SGDOptions(0.5).weight_decay(0.5));
  q.mutable_grad() = tensor({1.0}, kDouble);
  decay.step();  // g = 1 + 0.5; q = 1 - 0.75
  check_values(q, {0.25});

  const Tensor r = leaf({0}), s = leaf({0});
  SGD heavy({r}, SGDOptions(1).momentum(0.5)), ahead({s}, SGDOptions(1).momentum(0.5).nesterov(true));
  for (int i = 0; i < 2; ++i) {
    r.mutable_grad() = tensor({1.0}, kDouble);
    s.mutable_grad() = tensor({1.0}, kDouble);
    heavy.step();
    ahead.step();
  }
  check_values(r, {-1 - 1.5});            // b: 1, 1.5
  check_values(s, {-1.5 - (1 + 0.75)});  // g + 0.5 b: 1.5, 1.75
}

TEST_CASE("AdamW by hand: the first step is lr * sign(g) and the decay") {
  const Tensor p = leaf({1, 1});
  AdamW adam({p}, AdamWOptions(0.1).weight_decay(0.5).eps(0));
  p.mutable_grad() = tensor({4.0, -0.001}, kDouble);
  adam.step();
  check_values(p, {0.95 - 0.1, 0.95 + 0.1}, 1e-15);
  const auto& state = static_cast<const optim::AdamWParamState&>(*adam.state().at(p.unsafeGetTensorImpl()));
  CHECK(state.step() == 1);
  check_values(state.exp_avg(), {0.4, -0.0001}, 1e-15);
  CHECK(!state.max_exp_avg_sq().defined());
}

TEST_CASE("a step runs its closure with gradients on") {
  const Tensor p = leaf({1, -2});
  SGD optimizer({p}, SGDOptions(0.125));
  NoGradGuard off;
  double loss = 100;
  for (int i = 0; i < 20; ++i) {
    const Tensor now = optimizer.step([&] {
      optimizer.zero_grad();
      const Tensor computed = square_loss(p);
      computed.backward();
      return computed;
    });
    CHECK(now.item<double>() < loss);
    loss = now.item<double>();
  }
  CHECK(loss < 1e-3);
  CHECK(!GradMode::is_enabled());
}

TEST_CASE("groups have options of their own, and a schedule changes them all") {
  const Tensor p = leaf({1}), q = leaf({1}), r = leaf({1});
  std::vector<OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{p});
  groups.emplace_back(std::vector<Tensor>{q}, std::make_unique<SGDOptions>(0.5));
  SGD optimizer(groups, SGDOptions(0.25));
  optimizer.add_param_group({{r}});
  const auto step = [&] {
    for (const Tensor& t : {p, q, r}) t.mutable_grad() = tensor({1.0}, kDouble);
    optimizer.step();
  };
  step();
  check_values(p, {0.75});
  check_values(q, {0.5});
  check_values(r, {0.75});
  optim::StepLR schedule(optimizer, /*step_size=*/2, /*gamma=*/0.5);
  schedule.step();
  CHECK(optimizer.param_groups()[1].options().get_lr() == 0.5);
  schedule.step();
  CHECK(optimizer.param_groups()[1].options().get_lr() == 0.25);
  CHECK(optimizer.param_groups()[0].options().get_lr() == 0.125);
  CHECK(optimizer.defaults().get_lr() == 0.25);
}

TEST_CASE("memory order: a transposed gradient, a parameter that is a slice") {
  const Tensor p = tensor({{1.0, 2.0}, {3.0, 4.0}}, kDouble).set_requires_grad(true);
  SGD optimizer({p}, SGDOptions(1));
  p.mutable_grad() = tensor({{1.0, 2.0}, {3.0, 4.0}}, kDouble).t();
  optimizer.step();
  check_values(p, {0, -1, 1, 0});

  const Tensor base = tests::ramp({6});
  const Tensor every_other = base.as_strided({3}, {2}, 0).detach().requires_grad_();
  AdamW adam({every_other}, AdamWOptions(1).weight_decay(0).eps(0));
  every_other.mutable_grad() = tensor({1.0, 1.0, -1.0}, kDouble);
  adam.step();
  check_values(base, {-1, 1, 1, 3, 5, 5}, 1e-12);
}

TEST_CASE("state goes to a dictionary and back, bit for bit") {
  const auto train = [](const Tensor& p, optim::Optimizer& optimizer, int steps) {
    for (int i = 0; i < steps; ++i) {
      optimizer.zero_grad();
      square_loss(p).backward();
      optimizer.step();
    }
  };
  for (bool amsgrad : {false, true}) {
    const Tensor p = leaf({1, -2, 3}), q = leaf({1, -2, 3});
    AdamW whole({p}, AdamWOptions(0.1).amsgrad(amsgrad)), first({q}, AdamWOptions(0.1).amsgrad(amsgrad));
    train(p, whole, 6);
    train(q, first, 3);
    AdamW second({q}, AdamWOptions(0.7).amsgrad(amsgrad));
    second.load_state_dict(first.state_dict());
    CHECK(second.param_groups()[0].options().get_lr() == 0.1);
    train(q, first, 0);
    train(q, second, 3);
    CHECK(values(q) == values(p));
  }
  const Tensor p = leaf({1}), q = leaf({1});
  SGD whole({p}, SGDOptions(0.1).momentum(0.9)), first({q}, SGDOptions(0.1).momentum(0.9));
  CHECK(first.state_dict().keys() == Names{"group.0.lr"});
  train(p, whole, 4);
  train(q, first, 2);
  CHECK(first.state_dict().keys() == Names{"group.0.lr", "0.momentum_buffer"});
  SGD second({q}, SGDOptions(0.1).momentum(0.9));
  second.load_state_dict(first.state_dict());
  train(q, second, 2);
  CHECK(values(q) == values(p));
}

TEST_CASE("state of another optimizer is refused, and nothing is changed") {
  const Tensor p = leaf({1, 2});
  AdamW optimizer({p}, AdamWOptions(0.1));
  square_loss(p).backward();
  optimizer.step();
  const auto state = optimizer.state_dict();
  CHECK(state.keys() == Names{"group.0.lr", "0.step", "0.exp_avg", "0.exp_avg_sq"});
  const auto refused = [&](auto change) {
    auto copy = state;
    change(copy);
    return message_of([&] { optimizer.load_state_dict(copy); });
  };
  CHECK(contains(refused([](auto& s) { s.erase("group.0.lr"); }), "no learning rate of group 0"));
  CHECK(contains(refused([](auto& s) { s.erase("0.exp_avg"); }), "missing 'exp_avg'"));
  CHECK(contains(refused([](auto& s) { s.erase("0.step"); }), "missing 'step'"));
  CHECK(contains(refused([](auto& s) { s["0.exp_avg"] = zeros({3}, kDouble); }), "size or dtype mismatch for 'exp_avg'"));
  CHECK(contains(refused([](auto& s) { s["0.exp_avg"] = zeros({2}); }), "size or dtype mismatch for 'exp_avg'"));
  CHECK(contains(refused([](auto& s) { s.insert("1.step", scalar_tensor(1, kLong)); }), "parameters that are not here"));
  CHECK(static_cast<const optim::AdamWParamState&>(*optimizer.state().begin()->second).step() == 1);
}

TEST_CASE("bad options and parameters are refused") {
  const Tensor p = leaf({1});
  const std::vector<Tensor> some{p};
  const auto sgd = [&](SGDOptions options) { return message_of([&] { SGD(some, options); }); };
  const auto adam = [&](AdamWOptions options) { return message_of([&] { AdamW(some, options); }); };
  CHECK(contains(sgd(SGDOptions(-1)), "Invalid learning rate: -1"));
  CHECK(contains(sgd(SGDOptions(std::nan(""))), "Invalid learning rate: nan"));
  CHECK(contains(sgd(SGDOptions(1).momentum(-1)), "Invalid momentum value: -1"));
  CHECK(contains(sgd(SGDOptions(1).weight_decay(-1)), "Invalid weight_decay value: -1"));
  CHECK(contains(sgd(SGDOptions(1).nesterov(true)), "Nesterov momentum requires a momentum and zero dampening"));
  CHECK(contains(adam(AdamWOptions(-1)), "Invalid learning rate: -1"));
  CHECK(contains(adam(AdamWOptions().eps(-1)), "Invalid epsilon value: -1"));
  CHECK(contains(adam(AdamWOptions().betas({1, 0.9})), "Invalid beta parameter at index 0: 1"));
  CHECK(contains(adam(AdamWOptions().betas({0.9, -1})), "Invalid beta parameter at index 1: -1"));
  CHECK(contains(adam(AdamWOptions().weight_decay(-1)), "Invalid weight_decay value: -1"));

  const auto with = [](std::vector<Tensor> params) { return message_of([&] { SGD(params, SGDOptions(1)); }); };
  CHECK(contains(with({}), "optimizer got an empty parameter list"));
  CHECK(contains(with({p.mul(2)}), "can't optimize a non-leaf Tensor"));
  CHECK(contains(with({Tensor()}), "can't optimize an undefined Tensor"));
  CHECK(contains(with({p, p}), "appear in more than one parameter group"));
  SGD optimizer(some, SGDOptions(1));
  CHECK(contains(message_of([&] { optimizer.add_param_group({{p}}); }), "appear in more than one parameter group"));
  CHECK(optimizer.param_groups().size() == 1);
  p.mutable_grad() = zeros({1});
  CHECK(contains(message_of([&] { optimizer.step(); }), "of one shape and dtype"));
}
