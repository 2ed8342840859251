// "Trying to backward through the graph a second time." And why does it sometimes work? Because only nodes
// that saved tensors have lost something: the first backward releases what nodes keep, not the nodes and not
// their edges.
#include <doctest/doctest.h>

#include "autograd/autograd.h"
#include "autograd/tape.h"
#include "dispatcher/testing.h"
#include "ops/ops.h"
#include "tests/confusions/show.h"

using namespace gb;
using namespace gb::testing;
using namespace gb::confusions;

TEST_CASE("backward twice: the tape after the first, and what the second says") {
  const Tensor x = full({2}, 3.0, requires_grad(true)), w = full({2}, 5.0, requires_grad(true));
  const Tensor y = (x * w).sum();
  y.backward();
  std::string text =
      "== after the first\n" + format_tape(renumbered(autograd::read_tape(y, {{x, "x"}, {w, "w"}})));
  text += "\n== the second\n" + error_of([&] { y.backward(); }) + "\n";
  CHECK(contains(text, "saved self: released by backward"));
  CHECK(contains(text, "Trying to backward through the graph a second time"));
  CHECK(sum_of(x.grad()) == 10);  // from the first alone: the second stopped before any leaf
  check_golden("09_twice", text);
}

TEST_CASE("backward twice: a graph that saved no tensor bears any number") {
  const Tensor x = ones({2, 3}, requires_grad(true));
  const Tensor y = (x.t() + 1).sum();  // sizes and numbers, no tensors
  y.backward();
  y.backward();
  CHECK(sum_of(x.grad()) == 12);  // and leaves go on adding
}

TEST_CASE("backward twice: retain_graph keeps what was saved") {
  const Tensor x = full({2}, 3.0, requires_grad(true));
  const Tensor y = (x * x).sum();
  y.backward({}, /*retain_graph=*/true);
  y.backward();
  CHECK(sum_of(x.grad()) == 24);
  CHECK(contains(error_of([&] { y.backward(); }), "Trying to backward through the graph a second time"));
}

TEST_CASE("backward twice: two losses over one trunk are twice, unless they go together") {
  const Tensor x = full({2}, 3.0, requires_grad(true));
  const auto losses = [&] {
    const Tensor trunk = x * x;
    return std::pair{trunk.sum(), (trunk * 2).sum()};
  };
  const auto [a, b] = losses();
  a.backward();
  CHECK(contains(error_of([&] { b.backward(); }), "the tensors that MulBackward0 saved were released"));
  x.mutable_grad() = Tensor();
  const auto [c, d] = losses();
  autograd::backward({c, d});  // one pass with two roots
  CHECK(sum_of(x.grad()) == 36);
}
