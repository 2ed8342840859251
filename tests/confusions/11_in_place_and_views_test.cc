// "In-place on a leaf is refused, on a view of a leaf too, on any other view it works: how?" A leaf's
// gradient belongs to the value it has; a write would take that away. A computed tensor has a history that
// can be made longer. A view has none of its own that would do: the write goes into the history of its base,
// as CopySlices, and the view gets a new grad_fn. The drawings of the chapter are written here, from the
// tapes before and after.
#include <doctest/doctest.h>

#include "autograd/autograd.h"
#include "autograd/tape.h"
#include "autograd/tape_svg.h"
#include "dispatcher/testing.h"
#include "ops/ops.h"
#include "tests/confusions/show.h"

using namespace gb;
using namespace gb::testing;
using namespace gb::confusions;

namespace {

void check_drawing(const std::string& name, const autograd::TapeGraph& tape) {
  tests::check_golden("tests/confusions/testdata/" + name + ".svg", autograd::format_tape_svg(tape));
}

}  // namespace

TEST_CASE("in place: a leaf, and a view of a leaf, are refused before anything is written") {
  const Tensor w = ones({2, 3}, requires_grad(true));
  const std::string of_leaf = error_of([&] { w.mul_(2); }),
                    of_view = error_of([&] { w.select(0, 1).mul_(2); });
  CHECK(w._version() == 0);
  CHECK(sum_of(w) == 6);
  check_golden("11_refused", "== leaf\n" + of_leaf + "\n\n== view of a leaf\n" + of_view + "\n");
  {
    const NoGradGuard guard;  // what an optimizer does: not recorded, so nothing is lost
    w.mul_(2);
  }
  CHECK(w._version() == 1);
  CHECK(w.is_leaf());
}

TEST_CASE("in place: on a view, the base gets CopySlices and the view a new grad_fn") {
  const Tensor x = ones({2, 3}, requires_grad(true)), k = full({3}, 3.0, requires_grad(true));
  const Tensor base = x * 2;
  const Tensor view = base.select(0, 1);
  const autograd::LeafNames names{{x, "x"}, {k, "k"}};
  const auto tape = [&](const Tensor& t) { return renumbered(autograd::read_tape(t, names)); };

  std::string text =
      "== base before\n" + format_tape(tape(base)) + "\n== view before\n" + format_tape(tape(view));
  check_drawing("11_before", tape(view));
  const autograd::Node* view_before = view.grad_fn().get();

  view.mul_(k);

  CHECK(base._version() == 1);
  CHECK(view.grad_fn().get() != view_before);
  CHECK(base.grad_fn()->name() == "CopySlices");
  CHECK(view.grad_fn()->name() == "AsStridedBackward0");
  CHECK(view.grad_fn()->next_edge(0).function == base.grad_fn());
  text += "\n== base after\n" + format_tape(tape(base)) + "\n== view after\n" + format_tape(tape(view));
  check_drawing("11_after", tape(view));
  check_golden("11_view", text);

  // Row 0: 2. Row 1: 2 k = 6 for x, 2 x = 2 for k.
  base.sum().backward();
  const auto at = [](const Tensor& t, int64_t i) { return t.detach().flatten()[i].item().toDouble(); };
  CHECK(at(x.grad(), 0) == 2);
  CHECK(at(x.grad(), 5) == 6);
  CHECK(at(k.grad(), 0) == 2);
}

TEST_CASE(
    "in place: on a computed tensor, the history grows by one node; on a base, its views follow when asked") {
  const Tensor x = ones({4}, requires_grad(true));
  const Tensor base = x * 2, view = base.view({2, 2});
  base.mul_(3);
  CHECK(base.grad_fn()->next_edge(0).function->name() == "MulBackward1");
  CHECK(view.grad_fn()->name() == "AsStridedBackward0");
  view.sum().backward();
  CHECK(sum_of(x.grad()) == 24);
}

TEST_CASE("in place: a view made in no-grad mode may not be written in grad mode") {
  const Tensor x = ones({4}, requires_grad(true));
  const Tensor base = x * 2;
  Tensor view;
  {
    const NoGradGuard guard;
    view = base.view({2, 2});
  }
  check_golden("11_no_grad_view", error_of([&] { view.mul_(2); }) + "\n");
  CHECK(base._version() == 0);
}
