// Engine::start, step, finish: a backward pass a node at a time.
#include "autograd/autograd.h"
#include "autograd/autograd_meta.h"
#include "autograd/basic_nodes.h"
#include "autograd/engine.h"
#include "autograd/variable.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;
using autograd::Engine;

namespace {

std::vector<std::string> names_of_steps(Engine& engine) {
  std::vector<std::string> names;
  while (const auto node = engine.step()) names.push_back(node->name());
  return names;
}

}  // namespace

TEST_CASE("step: a pass a node at a time, in the order of execute") {
  Engine& engine = Engine::get_default_engine();
  const Tensor x = ones({2}, kDouble).requires_grad_();
  const Tensor y = ((x * 2) * x).sum();
  engine.start({autograd::impl::gradient_edge(y)}, {ones({}, kDouble)}, false, false, true);
  CHECK(engine.step()->name() == "SumBackward0");
  CHECK_FALSE(x.grad().defined());
  // Another pass between two steps.
  (x * 5).sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{5, 5});
  CHECK(names_of_steps(engine) == std::vector<std::string>{"MulBackward0", "MulBackward1", "AccumulateGrad"});
  CHECK(engine.step() == nullptr);
  CHECK(engine.finish().empty());
  CHECK(values(x.grad()) == std::vector<double>{9, 9});
}

TEST_CASE("step: finish runs what is left and returns the answers; a pass started later comes first") {
  Engine& engine = Engine::get_default_engine();
  const Tensor x = ones({2}, kDouble).requires_grad_(), w = ones({2}, kDouble).requires_grad_();
  const Tensor y = (x * 2).sum(), z = (w * 3).sum();
  const autograd::edge_list to_x{autograd::impl::gradient_edge(x)}, to_w{autograd::impl::gradient_edge(w)};
  engine.start({autograd::impl::gradient_edge(y)}, {ones({}, kDouble)}, false, false, false, to_x);
  engine.start({autograd::impl::gradient_edge(z)}, {ones({}, kDouble)}, false, false, false, to_w);
  CHECK(values(engine.finish()[0]) == std::vector<double>{3, 3});
  CHECK(values(engine.finish()[0]) == std::vector<double>{2, 2});
  CHECK(contains(message_of([&] { engine.step(); }), "no backward pass was started"));
}

TEST_CASE("step: an error ends the pass") {
  Engine& engine = Engine::get_default_engine();
  const Tensor x = ones({2}, kDouble).requires_grad_();
  const Tensor h = x * 2, y = (h * h).sum();
  h.add_(ones({2}, kDouble));
  engine.start({autograd::impl::gradient_edge(y)}, {ones({}, kDouble)}, false, false, true);
  CHECK(contains(message_of([&] { engine.finish(); }), "modified by an inplace operation"));
  CHECK(contains(message_of([&] { engine.finish(); }), "no backward pass was started"));
  (x * 3).sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{3, 3});
}

TEST_CASE("checkpoint: a pass with inputs= is not valid for one") {
  Engine& engine = Engine::get_default_engine();
  CHECK(engine.is_checkpoint_valid());
  const Tensor x = ones({2}, kDouble).requires_grad_(), h = x * 2;
  std::vector<bool> seen;
  h.register_hook([&](const Tensor&) { seen.push_back(engine.is_checkpoint_valid()); });
  h.sum().backward({}, true);
  autograd::grad({h.sum()}, {x});
  CHECK(seen == std::vector<bool>{true, false});
  CHECK(contains(message_of([&] { autograd::grad({h.sum()}, {x}, {}, true, false, false, /*is_grads_batched=*/true); }),
                 "is_grads_batched=True needs vmap"));
}

TEST_CASE("identity of a node: thread, sequence, topological number, device") {
  const Tensor x = ones({2}, kDouble).requires_grad_();
  const Tensor y = x * 2, z = y * y;
  CHECK(z.grad_fn()->topological_nr() == 2);
  CHECK(y.grad_fn()->topological_nr() == 1);
  CHECK(z.grad_fn()->sequence_nr() > y.grad_fn()->sequence_nr());
  CHECK(z.grad_fn()->thread_id() == y.grad_fn()->thread_id());
  CHECK(z.grad_fn()->device().is_cpu());
  CHECK(z.grad_fn()->should_compute_output({{0, 2}}));
  CHECK_FALSE(z.grad_fn()->should_compute_output({{2, 2}}));
}

TEST_CASE("nodes and variables made by hand") {
  const Tensor x = ones({2}, kDouble).requires_grad_();
  const Tensor delayed = autograd::DelayedError("not yet", 1)({x})[0];
  CHECK(values(delayed) == values(x));
  CHECK(contains(message_of([&] { delayed.sum().backward(); }), "not yet"));

  const auto identity = std::make_shared<autograd::Identity>(autograd::edge_list{autograd::impl::gradient_edge(x)});
  Tensor y = autograd::make_variable(x * 5);
  CHECK(y.is_leaf());
  autograd::create_gradient_edge(y, identity);
  CHECK(autograd::any_variable_requires_grad({ones({1}), y}));
  const auto root = std::make_shared<autograd::GraphRoot>(
      autograd::edge_list{autograd::impl::gradient_edge(y), autograd::impl::gradient_edge(x)},
      autograd::variable_list{full({2}, 3, kDouble), full({2}, 4, kDouble)});
  root->add_input_metadata(autograd::Node::undefined_input());
  Engine::get_default_engine().execute({autograd::Edge(root, 0)}, {Tensor()}, false, false, true);
  CHECK(values(x.grad()) == std::vector<double>{7, 7});
  const Tensor z = autograd::make_variable(x, autograd::Edge(identity, 0));
  CHECK(z.grad_fn() == identity);
  CHECK(autograd::make_variable(x.detach(), true).requires_grad());
}
