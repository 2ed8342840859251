#include "autograd/autograd.h"
#include "autograd/formula.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

namespace {

Tensor leaf(IntArrayRef sizes = {2}) { return ones(sizes, kDouble).requires_grad_(); }

// The message has these parts, and the four-part form.
void check_message(const std::string& message, std::initializer_list<const char*> parts) {
  for (const char* part : parts) {
    CAPTURE(message);
    CHECK(contains(message, part));
  }
  CHECK(contains(message, "docs/en/theory/02-autograd-engine.md#tape"));
}

}  // namespace

TEST_CASE("errors: a leaf that was made a computed tensor, and a graph from before") {
  const Tensor x = full({2}, 3, kDouble).requires_grad_(), k = full({2}, 2, kDouble).requires_grad_();
  const Tensor y = x * 2;
  x.requires_grad_(false);
  x.copy_(k * 2);
  CHECK(contains(message_of([&] { (x + y).sum().backward(); }), "leaf variable has been moved into the graph interior"));
}

TEST_CASE("errors: a leaf that got other sizes, and a graph from before") {
  const Tensor x = full({2, 3}, 3, kDouble).requires_grad_();
  const Tensor y = (x * 2).sum();
  {
    const AutoGradMode no_grad(false);
    x.t_();
  }
  check_message(message_of([&] { y.backward(); }), {"the sizes of a leaf have changed", "has [2, 3], and it has [3, 2]"});
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("error: backward twice") {
  const Tensor x = leaf();
  const Tensor y = (x * x).sum();
  y.backward();
  check_message(message_of([&] { y.backward(); }),
                {"Trying to backward through the graph a second time", "MulBackward0", "retain_graph=true"});
  CHECK(values(x.grad()) == std::vector<double>{2, 2});
}

TEST_CASE("error: a saved tensor was changed in place") {
  const Tensor x = leaf();
  const Tensor h = x * 2, y = h * h;
  h.add_(ones({2}, kDouble));
  check_message(message_of([&] { y.sum().backward(); }),
                {"has been modified by an inplace operation", "MulBackward0",
                 "is at version 1; expected version 0", "CPUDoubleType"});
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("error: in-place on a leaf that requires grad") {
  const Tensor x = leaf();
  check_message(
      message_of([&] { x.add_(ones({2}, kDouble)); }),
      {"add_", "a leaf Variable that requires grad is being used in an in-place operation", "NoGradGuard"});
  CHECK(x._version() == 0);
  CHECK(values(x) == std::vector<double>{1, 1});
  {
    const NoGradGuard guard;
    x.add_(ones({2}, kDouble));
  }
  CHECK(values(x) == std::vector<double>{2, 2});
}

TEST_CASE("error: non-scalar output without a gradient") {
  const Tensor x = leaf();
  check_message(message_of([&] { (x * x).backward(); }),
                {"grad can be implicitly created only for scalar outputs", "[2], 2 elements"});
}

TEST_CASE("error: output that does not require grad") {
  check_message(message_of([] { ones({1}).backward(); }),
                {"element 0 of tensors does not require grad and does not have a grad_fn", "sizes [1]"});
  check_message(message_of([] { Tensor().backward(); }), {"element 0 of tensors", "undefined"});
}

TEST_CASE("error: gradient of a wrong shape, of a wrong dtype; wrong number") {
  const Tensor x = leaf();
  const Tensor y = x * x;
  check_message(message_of([&] { y.backward(ones({3}, kDouble)); }),
                {"the caller of backward returned an invalid gradient at index 0 - got [3] but expected "
                 "shape compatible with [2]",
                 "MulBackward0"});
  check_message(message_of([&] { y.backward(ones({2}, kLong)); }),
                {"expected a floating dtype but got Long"});
  check_message(message_of([&] { autograd::backward({y}, {y, y}); }), {"got 1 tensors and 2 gradients"});
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("error: a node that returns nonsense is named") {
  struct WrongShape final : autograd::Node {
    autograd::variable_list apply(autograd::variable_list&&) override { return {ones({5})}; }
  };
  struct WrongCount final : autograd::Node {
    autograd::variable_list apply(autograd::variable_list&&) override { return {}; }
  };
  const auto run = [](auto node) {
    const Tensor x = leaf(), y = ones({}, kDouble);
    node->set_next_edges(autograd::collect_next_edges(x));
    autograd::set_history(y, node);
    y.backward();
  };
  check_message(
      message_of([&] { run(std::make_shared<WrongShape>()); }),
      {"WrongShape returned an invalid gradient at index 0 - got [5] but expected shape compatible with [2]",
       "while backward ran WrongShape"});
  check_message(message_of([&] { run(std::make_shared<WrongCount>()); }),
                {"WrongCount returned an invalid number of gradients - expected 1 but got 0"});
}

TEST_CASE("error: a second history for one tensor") {
  struct TwiceBackward final : autograd::Node {
    autograd::variable_list apply(autograd::variable_list&& grads) override { return std::move(grads); }
    std::string name() const override { return "TwiceBackward"; }
  };
  const Tensor y = leaf() * 2;
  check_message(message_of([&] { autograd::set_history(y, std::make_shared<TwiceBackward>()); }),
                {"TwiceBackward: the kernel returned a tensor that requires grad already", "is what MulBackward1 made",
                 "AutoDispatchBelowAutograd"});
  CHECK(y.grad_fn()->name() == "MulBackward1");
}

TEST_CASE("error: unreachable input, empty inputs, an input that does not require grad") {
  const Tensor x = leaf({}), unused = leaf({}), y = x * x;
  check_message(message_of([&] {
                  autograd::grad({y}, {x, unused});
                }),
                {"appears to not have been used in the graph", "input 1", "allow_unused=true"});
  check_message(message_of([&] { autograd::grad({y}, {}); }), {"grad requires non-empty inputs"});
  check_message(message_of([&] { y.backward({}, {}, false, TensorList()); }),
                {"'inputs' argument to backward cannot be empty"});
  check_message(message_of([&] { autograd::grad({y}, {ones({})}); }),
                {"One of the differentiated Tensors does not require grad"});
  y.backward();  // nothing was released by the refused calls
  CHECK(x.grad().item<double>() == 2);
}

TEST_CASE("error: requires_grad on an integer tensor, and on a computed one") {
  const Tensor n = ones({2}, kLong);
  check_message(message_of([&] { n.requires_grad_(); }),
                {"only Tensors of floating point dtype can require gradients", "dtype Long"});
  CHECK_FALSE(n.requires_grad());
  const Tensor y = leaf() * 2;
  check_message(message_of([&] { y.requires_grad_(false); }),
                {"you can only change requires_grad flags of leaf variables", "MulBackward"});
  CHECK(y.requires_grad());
}

TEST_CASE("after an error inside a node, the next backward works") {
  const Tensor x = leaf();
  const Tensor h = x * 2, y = h * h;
  h.add_(ones({2}, kDouble));
  CHECK_FALSE(message_of([&] { y.sum().backward(); }).empty());
  (x * 3).sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{3, 3});
}
