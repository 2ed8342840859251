// The tape of the small GPT: the chapter quotes it, and says of it what is asserted here.
#include "labs/tiny_gpt.h"

#include <algorithm>
#include <set>

#include "autograd/tape.h"
#include "autograd/tape_svg.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"
#include "tests/golden.h"

using namespace gb;
using autograd::TapeGraph;
using autograd::TapeNode;

namespace {

// Numbered from 0, whatever the thread has recorded before.
TapeGraph tape_of(const Tensor& root, const labs::TinyGpt& model) {
  TapeGraph tape = autograd::read_tape(root, model.names());
  uint64_t first = UINT64_MAX;
  for (const TapeNode& node : tape.nodes) first = std::min(first, node.sequence_nr);
  for (TapeNode& node : tape.nodes) {
    if (!node.is_leaf) node.sequence_nr -= first;
  }
  return tape;
}

size_t edges_into(const TapeGraph& tape, const std::string& leaf) {
  size_t count = 0;
  for (const TapeNode& node : tape.nodes) {
    for (const autograd::TapeEdge& edge : node.edges) {
      if (edge.to == autograd::TapeEdge::kNowhere) continue;
      const TapeNode& to = tape.nodes[edge.to];
      count += to.is_leaf && to.saved[0].tensor_name == leaf;
    }
  }
  return count;
}

std::vector<const TapeNode*> named(const TapeGraph& tape, const std::string& name) {
  std::vector<const TapeNode*> found;
  for (const TapeNode& node : tape.nodes) {
    if (node.name == name) found.push_back(&node);
  }
  return found;
}

}  // namespace

TEST_CASE("the tape of a block, and what it keeps") {
  const labs::TinyGpt model;
  const Tensor out = model.block_on_leaf();
  const TapeGraph tape = tape_of(out, model);
  tests::check_golden("labs/testdata/tiny_gpt.golden",
                      "== block\n" + format_tape(tape) + "\n== kept by the block\n" +
                          labs::kept_for_backward(out, model.names()) + "\n== kept by the loss\n" +
                          labs::kept_for_backward(model.loss(), model.names()));
  tests::check_golden("labs/testdata/tiny_gpt_block.svg", autograd::format_tape_svg(tape));
}

TEST_CASE("the residual stream: x is reached along two ways, the sums save nothing") {
  const labs::TinyGpt model;
  const TapeGraph tape = tape_of(model.block_on_leaf(), model);
  CHECK(edges_into(tape, "x") == 2);
  for (const TapeNode* sum : named(tape, "AddBackward0")) {
    for (const autograd::TapeSaved& saved : sum->saved)
      CHECK((saved.kind == autograd::TapeSaved::Kind::kValue));
  }
}

TEST_CASE("query, key and value come from one node, by three edges") {
  const labs::TinyGpt model;
  const TapeGraph tape = tape_of(model.block_on_leaf(), model);
  std::set<uint32_t> inputs;
  for (const TapeNode& node : tape.nodes) {
    for (const autograd::TapeEdge& edge : node.edges) {
      if (edge.to != autograd::TapeEdge::kNowhere && tape.nodes[edge.to].name == "SplitBackward0") {
        inputs.insert(edge.input_nr);
      }
    }
  }
  CHECK(inputs == std::set<uint32_t>{0, 1, 2});
  CHECK(named(tape, "SplitBackward0").size() == 1);
}

TEST_CASE("the tied head: one leaf, two gradients") {
  const labs::TinyGpt model;
  const Tensor loss = model.loss();
  CHECK(edges_into(tape_of(loss, model), "wte") == 2);
  loss.backward();
  for (const auto& [tensor, name] : model.names()) CHECK(tensor.grad().defined() == (name != "x"));
}

TEST_CASE("after backward nothing is kept") {
  const labs::TinyGpt model;
  const Tensor loss = model.loss();
  loss.backward();
  for (const TapeNode& node : autograd::read_tape(loss).nodes) {
    for (const autograd::TapeSaved& saved : node.saved) {
      CHECK((node.is_leaf || (saved.kind != autograd::TapeSaved::Kind::kInput &&
                              saved.kind != autograd::TapeSaved::Kind::kOutput)));
    }
  }
}
