// The drawing of the tape: boxes that do not lie on each other, lines that lead down and around them.
#include "autograd/tape_layout.h"

#include "autograd/tape_svg.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;
using autograd::TapeGraph;
using autograd::TapeLayout;

namespace {

// Two branches, a shared node, and edges that pass several rows.
TapeGraph residual_tape() {
  const Tensor x = ones({2}).requires_grad_(), w = ones({2}).requires_grad_();
  const Tensor h = x * w;
  Tensor y = h;
  for (int i = 0; i < 4; ++i) y = y + (y * w).exp() * h;
  return autograd::read_tape(y + h);
}

TapeLayout layout_of(const TapeGraph& tape) {
  std::vector<TapeLayout::Size> sizes;
  for (size_t i = 0; i < tape.nodes.size(); ++i) {
    sizes.push_back({60.0 + 10 * static_cast<double>(i % 7), 20.0 + 5 * static_cast<double>(i % 3)});
  }
  return autograd::layout_of(tape, sizes);
}

}  // namespace

TEST_CASE("layout: boxes lie inside of the drawing and apart from each other") {
  const TapeLayout layout = layout_of(residual_tape());
  for (size_t i = 0; i < layout.boxes.size(); ++i) {
    const TapeLayout::Box& a = layout.boxes[i];
    CHECK(a.left >= 0);
    CHECK(a.top >= 0);
    CHECK(a.left + a.width <= layout.width);
    CHECK(a.top + a.height <= layout.height);
    for (size_t k = 0; k < i; ++k) {
      const TapeLayout::Box& b = layout.boxes[k];
      CHECK((a.left + a.width < b.left || b.left + b.width < a.left || a.top + a.height < b.top ||
             b.top + b.height < a.top));
    }
  }
}

TEST_CASE("layout: a line for each edge, from box to box, downwards, through no other box") {
  const TapeGraph tape = residual_tape();
  const TapeLayout layout = layout_of(tape);
  size_t edges = 0, passed = 0;
  for (const auto& node : tape.nodes) edges += node.edges.size();
  CHECK(layout.lines.size() == edges);
  for (const TapeLayout::Line& line : layout.lines) {
    const TapeLayout::Box& from = layout.boxes[line.from];
    const TapeLayout::Box& to = layout.boxes[tape.nodes[line.from].edges[line.edge].to];
    CHECK(line.points.front().y == from.top + from.height);
    CHECK(line.points.back().y == to.top);
    for (size_t i = 1; i < line.points.size(); ++i) CHECK(line.points[i - 1].y <= line.points[i].y);
    for (size_t i = 1; i + 2 < line.points.size(); i += 2) {
      const double x = line.points[i].x, y = line.points[i].y;
      CHECK(x == line.points[i + 1].x);
      ++passed;
      for (const TapeLayout::Box& box : layout.boxes) {
        CHECK_FALSE((box.top == y && x > box.left && x < box.left + box.width));
      }
    }
  }
  CHECK(passed > 4);
}

TEST_CASE("layout: rows follow the longest path from the root") {
  const TapeGraph tape = residual_tape();
  const TapeLayout layout = layout_of(tape);
  for (const TapeLayout::Line& line : layout.lines) {
    CHECK(layout.boxes[line.from].top < layout.boxes[tape.nodes[line.from].edges[line.edge].to].top);
  }
}

TEST_CASE("layout: what is too large to look at is refused at once") {
  const Tensor x = ones({}).requires_grad_();
  Tensor y = x;
  for (int i = 0; i < 30000; ++i) y = y + x;
  CHECK(contains(message_of([&] { autograd::format_tape_svg(y); }), "the tape is too large to draw"));
}
