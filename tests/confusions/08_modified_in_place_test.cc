// "One of the variables needed for gradient computation has been modified by an inplace operation ... is at
// version 1; expected version 0 instead." Which variable, who needs it, who wrote it, and what are the
// numbers? Also: what decides is what was saved, not what was used; and the one way past the counter, which
// ends in a wrong number.
#include <doctest/doctest.h>

#include "autograd/autograd.h"
#include "autograd/tape.h"
#include "dispatcher/testing.h"
#include "ops/ops.h"
#include "tests/confusions/show.h"

using namespace gb;
using namespace gb::testing;
using namespace gb::confusions;

TEST_CASE("modified in place: the message names the saver, the writer and both versions") {
  const Tensor x = ones({2, 3}, requires_grad(true));
  const Tensor p = softmax(x * 2, -1);
  const auto tape = [&] { return format_tape(renumbered(autograd::read_tape(p, {{x, "x"}}))); };
  std::string text = "== before\n" + tape();
  p.add_(ones({2, 3}));
  CHECK(p._version() == 1);
  // The write is recorded, so the tape has a node more on top; softmax saved what is gone.
  text += "\n== after\n" + tape();
  text += "\n== backward\n" + error_of([&] { p.sum().backward(); }) + "\n";
  CHECK(contains(text, "is at version 1; expected version 0 instead"));
  CHECK(contains(text, "now 1: written in place since by aten::add_"));
  CHECK_FALSE(x.grad().defined());
  check_golden("08_modified", text);
}

TEST_CASE("modified in place: what was used but not saved may be written") {
  const Tensor x = ones({2}, requires_grad(true));
  const Tensor h = x * 2;
  const Tensor y = h + 1;  // an addition needs neither of its operands again
  h.mul_(5);
  y.sum().backward();
  CHECK(sum_of(x.grad()) == 4);

  const Tensor e = x.exp();  // saves its result, not its operand
  const Tensor z = (x * 2).exp();
  e.mul_(2);
  CHECK(contains(error_of([&] { e.sum().backward(); }), "ExpBackward0 saved its output"));
  z.sum().backward();
}

TEST_CASE(
    "modified in place: the number counts writes since the tensor was made, so a save may expect more than "
    "0") {
  const Tensor x = ones({2}, requires_grad(true));
  const Tensor h = x * 2;
  h.add_(1);
  h.add_(1);
  const Tensor y = h * h;  // saved at version 2
  h.add_(1);
  CHECK(contains(error_of([&] { y.sum().backward(); }), "is at version 3; expected version 2 instead"));
}

TEST_CASE(
    "modified in place: a write through a view or a detached tensor counts, one through data() does not") {
  const Tensor x = full({2}, 3.0, requires_grad(true));
  const auto squared_after = [&](const std::function<void(const Tensor&)>& write) {
    const Tensor h = x * 1, y = h * h;
    write(h);
    return error_of([&] {
      x.mutable_grad() = Tensor();
      y.sum().backward();
    });
  };
  CHECK(contains(squared_after([](const Tensor& h) {
                   h.view({2, 1}).zero_();
                 }),
                 "modified by an inplace operation"));
  CHECK(contains(squared_after([](const Tensor& h) { h.detach().zero_(); }),
                 "modified by an inplace operation"));
  // data() has a counter of its own: nobody notices, and the gradient is 0 where 2 h = 6 is right.
  CHECK(squared_after([](const Tensor& h) { h.data().zero_(); }) == "no error");
  CHECK(sum_of(x.grad()) == 0);
}

TEST_CASE("modified in place: the repairs, a clone or the operator without underscore") {
  const Tensor x = full({2}, 3.0, requires_grad(true));
  const Tensor h = x * 1, y = h * h;
  h.clone().add_(1);
  h.add(1);
  y.sum().backward();
  CHECK(sum_of(x.grad()) == 12);
}
