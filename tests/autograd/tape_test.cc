// The printed tape: what it says of nodes, edges, versions, hooks and writes to views, in each of its four
// forms.
#include "autograd/tape.h"

#include "autograd/autograd.h"
#include "autograd/autograd_meta.h"
#include "autograd/formula.h"
#include "autograd/tape_dot.h"
#include "autograd/tape_json.h"
#include "autograd/tape_svg.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"
#include "tests/golden.h"

using namespace gb;
using namespace gb::tests;
using autograd::format_tape;
using autograd::format_tape_dot;
using autograd::format_tape_json;
using autograd::format_tape_svg;
using autograd::read_tape;
using autograd::renumbered;
using autograd::TapeGraph;

namespace {

struct CountsHook final : autograd::FunctionPostHook {
  autograd::variable_list operator()(const autograd::variable_list& outputs,
                                     const autograd::variable_list&) override {
    return outputs;
  }
};
struct LeafHook final : autograd::PostAccumulateGradHook {
  void operator()(const Tensor&) override {}
};

}  // namespace

TEST_CASE("the tape of softmax(linear(x, W, b))") {
  const Tensor x = ones({2, 4}).requires_grad_(), W = ones({6, 4}).requires_grad_(),
               b = ones({6}).requires_grad_();
  const Tensor p = softmax(linear(x, W, b), -1);
  std::vector<std::string> names;
  for (autograd::Node* node : autograd::nodes_in_order(p.grad_fn().get())) names.push_back(node->name());
  CHECK(names == std::vector<std::string>{"SoftmaxBackward0", "AddmmBackward0", "AccumulateGrad",
                                          "AccumulateGrad", "TBackward0", "AccumulateGrad"});
  const std::string text = format_tape(p, {{x, "x"}, {W, "W"}, {b, "b"}});
  CAPTURE(text);
  CHECK(text.find("SoftmaxBackward0 #") == 0);
  CHECK(contains(text, "  saved result: output, Float [2, 6], version 0\n"));
  CHECK(contains(text, "  -> AddmmBackward0 input 0\n"));
  CHECK(contains(
      text, "  -> AccumulateGrad (b) input 0\n  -> AccumulateGrad (x) input 0\n  -> TBackward0 input 0\n"));
  CHECK(contains(text, "TBackward0 #"));
  CHECK(contains(text, "  -> AccumulateGrad (W) input 0\n"));
  CHECK(contains(text, "AccumulateGrad (W)\n  leaf Float [6, 4]\n"));
  p.sum().backward();
  CHECK(contains(format_tape(p), "saved result: released by backward"));
}

TEST_CASE("the tape: no graph, a shared node once, an edge nobody wants, 100000 nodes") {
  CHECK(format_tape(ones({1})) == "no tape: the tensor has no grad_fn\n");
  const Tensor x = ones({}).requires_grad_();
  const Tensor h = x * ones({});
  CHECK(contains(format_tape(h), "  -> nothing: no gradient wanted\n"));
  CHECK(autograd::nodes_in_order((h * h).grad_fn().get()).size() == 3);
  Tensor y = x;
  for (int i = 0; i < 100000; ++i) y = y + x;
  CHECK(autograd::nodes_in_order(y.grad_fn().get()).size() == 100001);
}

TEST_CASE("the tape of the head, in four forms") {
  const Tensor x = ones({2, 4}).requires_grad_(), W = ones({6, 4}).requires_grad_(),
               b = ones({6}).requires_grad_();
  const Tensor p = softmax(linear(x, W, b), -1);
  const TapeGraph tape = renumbered(read_tape(p, {{x, "x"}, {W, "W"}, {b, "b"}}));
  check_golden("tests/autograd/testdata/tape_head.golden", "== text\n" + format_tape(tape) + "\n== dot\n" +
                                                               format_tape_dot(tape) + "\n== json\n" +
                                                               format_tape_json(tape));
  check_golden("tests/autograd/testdata/tape_head.svg", format_tape_svg(tape));
  CHECK(format_tape_dot(p).starts_with("digraph tape {"));
  CHECK(format_tape_json(p).starts_with("{\"nodes\":["));
  CHECK(format_tape_svg(p).starts_with("<svg xmlns="));
}

TEST_CASE("the tape: what was written since it was saved, and by whom") {
  const Tensor x = ones({2}).requires_grad_(), h = x * 2, y = h * h;
  CHECK_FALSE(read_tape(y).nodes[0].is_refused());
  autograd::increment_version(h, intern_writer("tape_test::write"));
  const std::string text = format_tape(y, {{h, "h"}});
  CAPTURE(text);
  CHECK(contains(text,
                 "saved self: h, Float [2], version 0, now 1: written in place since by "
                 "tape_test::write, backward will refuse it\n"));
  CHECK(contains(format_tape_json(y), R"("version":0,"current":1,"writer":"tape_test::write")"));
  CHECK(contains(format_tape_dot(y), "color=red"));
  CHECK(contains(format_tape_svg(y), "stroke=\"#cb181d\""));
  CHECK_FALSE(message_of([&] { y.sum().backward(); }).empty());
}

TEST_CASE("the tape: a write to a view is a node inside of the base's CopySlices") {
  const Tensor x = ones({2, 3}).requires_grad_(), k = full({3}, 3.0).requires_grad_();
  const Tensor b = x * 2, row = b.select(0, 1);
  row.mul_(k);
  const autograd::LeafNames names{{x, "x"}, {k, "k"}};
  const std::string text = format_tape(b, names);
  CAPTURE(text);
  CHECK(contains(text, "CopySlices #"));
  CHECK(contains(text,
                 "  saved base = sizes [2, 3], strides [3, 1], offset 0\n"
                 "  saved view = sizes [3], strides [1], offset 3\n"
                 "  around MulBackward0 #"));
  CHECK(contains(text, "    saved other: k, Float [3], version 0\n"));
  CHECK(contains(text, "  -> AccumulateGrad (k) input 0\n"));
  CHECK(format_tape(row).starts_with("AsStridedBackward0 #"));
  CHECK(contains(format_tape_json(b), R"("inner":{"name":"MulBackward0","leaf":false)"));
  b.sum().backward();
  CHECK(contains(format_tape(b), "  saved fn: released by backward\n"));
}

TEST_CASE("the tape: hooks are counted by kind") {
  const Tensor x = ones({2}).requires_grad_(), h = x * 2;
  h.register_hook([](const Tensor& g) { return g; });
  h.retain_grad();
  h.grad_fn()->add_post_hook(std::make_unique<CountsHook>());
  h.grad_fn()->add_post_hook(std::make_unique<CountsHook>());
  autograd::impl::set_post_acc_grad_hooks(x, std::make_unique<LeafHook>());
  const std::string text = format_tape(h, {{x, "x"}});
  CAPTURE(text);
  CHECK(contains(text, "  hooks: 1 tensor, 1 retain_grad, 2 post\n"));
  CHECK(contains(text, "AccumulateGrad (x)\n  leaf Float [2]\n  hooks: 1 post-accumulate-grad\n"));
  CHECK(contains(format_tape_json(h), R"("hooks":{"tensor":1,"retains_grad":1,"pre":0,"post":2,)"));
}

TEST_CASE("the tape: topological numbers, and numbers in edges where a name is shared") {
  const Tensor x = ones({2}).requires_grad_(), w = ones({2}).requires_grad_();
  const Tensor h = x * w, y = (h * h) * h;
  const TapeGraph tape = read_tape(y);
  const std::vector<autograd::Node*> nodes = autograd::nodes_in_order(y.grad_fn().get());
  REQUIRE(tape.nodes.size() == nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) CHECK(tape.nodes[i].topological_nr == nodes[i]->topological_nr());
  CHECK(tape.nodes[0].topological_nr == 3);
  CHECK(contains(format_tape(renumbered(tape)), "MulBackward0 #2\n"));
  CHECK(contains(format_tape(renumbered(tape)),
                 "  -> MulBackward0 #1 input 0\n  -> MulBackward0 #0 input 0\n"));
}

TEST_CASE("the tape: none, in four forms") {
  CHECK(format_tape_json(ones({1})) == "{\"nodes\":[]\n}\n");
  CHECK(format_tape_dot(ones({1})).ends_with(";\n}\n"));
  CHECK(format_tape_svg(ones({1})).ends_with("</svg>\n"));
}
