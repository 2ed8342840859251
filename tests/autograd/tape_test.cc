#include "autograd/tape.h"

#include "autograd/autograd.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;
using autograd::format_tape;

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
