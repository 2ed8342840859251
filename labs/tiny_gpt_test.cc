// The tape of the small GPT: the chapter quotes it, and says of it what is asserted here.
#include "labs/tiny_gpt.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "autograd/tape.h"
#include "autograd/tape_svg.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"
#include "tests/golden.h"

using namespace gb;
using autograd::TapeGraph;
using autograd::TapeNode;

namespace {

TapeGraph tape_of(const Tensor& root, const labs::TinyGpt& model) {
  return renumbered(autograd::read_tape(root, model.names()));
}

bool is_leaf_named(const TapeNode& node, const std::string& name) {
  return node.is_leaf && node.saved[0].tensor_name == name;
}

// The numbers of the nodes that `wanted` likes.
template <class Wanted>
std::vector<size_t> which(const TapeGraph& tape, const Wanted& wanted) {
  std::vector<size_t> found;
  for (size_t i = 0; i < tape.nodes.size(); ++i) {
    if (wanted(tape.nodes[i])) found.push_back(i);
  }
  return found;
}
std::vector<size_t> named(const TapeGraph& tape, const std::string& name) {
  return which(tape, [&](const TapeNode& node) { return node.name == name; });
}
size_t leaf(const TapeGraph& tape, const std::string& name) {
  return which(tape, [&](const TapeNode& node) { return is_leaf_named(node, name); }).at(0);
}

// The nodes with an edge to `target`, once for each such edge.
std::vector<size_t> leading_to(const TapeGraph& tape, size_t target) {
  std::vector<size_t> found;
  for (size_t i = 0; i < tape.nodes.size(); ++i) {
    for (const autograd::TapeEdge& edge : tape.nodes[i].edges) {
      if (edge.to == target) found.push_back(i);
    }
  }
  return found;
}

// Those nodes of the printed tape.
std::string part(const TapeGraph& tape, const std::vector<size_t>& numbers) {
  std::vector<std::string> printed;
  std::istringstream lines(format_tape(tape));
  for (std::string line; std::getline(lines, line);) {
    if (line[0] != ' ') printed.emplace_back();
    printed.back() += line + "\n";
  }
  std::string text;
  for (const size_t i : numbers) text += printed.at(i);
  return text;
}

std::vector<size_t> with_targets(const TapeGraph& tape, size_t node) {
  std::vector<size_t> numbers{node};
  for (const autograd::TapeEdge& edge : tape.nodes[node].edges) numbers.push_back(edge.to);
  return numbers;
}

// From `node` along first edges, to the next node of the same name.
std::vector<size_t> down_to_the_next(const TapeGraph& tape, size_t node) {
  std::vector<size_t> numbers{node};
  do {
    numbers.push_back(tape.nodes[numbers.back()].edges.at(0).to);
  } while (tape.nodes[numbers.back()].name != tape.nodes[node].name);
  return numbers;
}

std::vector<size_t> and_itself(std::vector<size_t> numbers, size_t node) {
  numbers.push_back(node);
  return numbers;
}

}  // namespace

TEST_CASE("the tape of a block and of the loss, part by part, and what they keep") {
  const labs::TinyGpt model;
  const Tensor out = model.block_on_leaf(), loss = model.loss();
  const TapeGraph block = tape_of(out, model), whole = tape_of(loss, model);
  const size_t x = leaf(block, "x"), wte = leaf(whole, "wte"), split = named(block, "SplitBackward0").at(0);
  const auto section = [](const std::string& name, const std::string& text) {
    return "== " + name + "\n" + text + "\n";
  };
  tests::check_golden(
      "labs/testdata/tiny_gpt.golden",
      section("stream", part(block, and_itself(named(block, "AddBackward0"), x))) +
          section("linear",
                  part(block, with_targets(block, leading_to(block, leaf(block, "mlp.c_proj.bias")).at(0)))) +
          section("layer norm", part(block, {named(block, "NativeLayerNormBackward0").at(0)})) +
          section("attention", part(block, down_to_the_next(block, named(block, "BmmBackward0").at(0)))) +
          section("split", part(block, and_itself(leading_to(block, split), split))) +
          section("tied", part(whole, and_itself(leading_to(whole, wte), wte))) +
          section("kept by the block", labs::kept_for_backward(out, model.names())) +
          section("kept by the loss", labs::kept_for_backward(loss, model.names())));
  tests::check_golden("labs/testdata/tiny_gpt_block.svg", autograd::format_tape_svg(block));
}

TEST_CASE("the residual stream: x is reached along two ways, the sums save nothing") {
  const labs::TinyGpt model;
  const TapeGraph tape = tape_of(model.block_on_leaf(), model);
  CHECK(leading_to(tape, leaf(tape, "x")).size() == 2);
  for (const size_t sum : named(tape, "AddBackward0")) {
    for (const autograd::TapeSaved& saved : tape.nodes[sum].saved) {
      CHECK((saved.kind == autograd::TapeSaved::Kind::kValue));
    }
  }
}

TEST_CASE("query, key and value come from one node, by three edges") {
  const labs::TinyGpt model;
  const TapeGraph tape = tape_of(model.block_on_leaf(), model);
  REQUIRE(named(tape, "SplitBackward0").size() == 1);
  const size_t split = named(tape, "SplitBackward0")[0];
  std::set<uint32_t> inputs;
  for (const size_t from : leading_to(tape, split)) {
    for (const autograd::TapeEdge& edge : tape.nodes[from].edges) inputs.insert(edge.input_nr);
  }
  CHECK(inputs == std::set<uint32_t>{0, 1, 2});
}

TEST_CASE("views keep numbers, never a tensor") {
  const labs::TinyGpt model;
  const TapeGraph tape = tape_of(model.block_on_leaf(), model);
  for (const char* view :
       {"ViewBackward0", "TransposeBackward0", "TBackward0", "ExpandBackward0", "SplitBackward0"}) {
    CHECK_FALSE(named(tape, view).empty());
    for (const size_t i : named(tape, view)) {
      for (const autograd::TapeSaved& saved : tape.nodes[i].saved) CHECK(saved.dtype.empty());
    }
  }
}

TEST_CASE("the tied head: one leaf, two gradients") {
  const labs::TinyGpt model;
  const Tensor loss = model.loss();
  const TapeGraph tape = tape_of(loss, model);
  CHECK(leading_to(tape, leaf(tape, "wte")).size() == 2);
  loss.backward();
  for (const auto& [tensor, name] : model.names()) CHECK(tensor.grad().defined() == (name != "x"));
}

TEST_CASE("after backward nothing is kept") {
  const labs::TinyGpt model;
  const Tensor loss = model.loss();
  loss.backward();
  for (const TapeNode& node : autograd::read_tape(loss).nodes) {
    for (const autograd::TapeSaved& saved : node.saved) CHECK((node.is_leaf || saved.dtype.empty()));
  }
}
