// In-place writes: to tensors with a history, and to views of them. Numbers are worked out by hand; the same programs
// run on LibTorch in tests/libtorch/tape_programs_test.cc.
#include "autograd/copy_slices.h"

#include "autograd/autograd.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;
using autograd::grad;

namespace {

Tensor& scale_(const Tensor& t, double k) { return mul__scalar_op().call(const_cast<Tensor&>(t), k); }
Tensor leaf(IntArrayRef sizes = {4}) { return ones(sizes, kDouble).requires_grad_(); }
std::string grad_fn_of(const Tensor& t) { return t.grad_fn() ? t.grad_fn()->name() : "none"; }
Tensor row(const Tensor& t, int64_t i) { return t.as_strided({t.size(1)}, {t.stride(1)}, i * t.stride(0)); }

}  // namespace

TEST_CASE("in place: the history is rebased, the gradient is of the value before") {
  const Tensor x = full({2}, 3, kDouble).requires_grad_();
  const Tensor y = x * 1;
  y.mul_(x);  // x^2
  CHECK(y._version() == 1);
  CHECK(grad_fn_of(y) == "MulBackward0");
  y.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{6, 6});
}

TEST_CASE("in place: on a view, the base gets CopySlices and the view a new grad_fn") {
  const Tensor x = leaf();
  const Tensor y = x * 2, v = y.view({2, 2});
  scale_(v, 3);
  CHECK(y._version() == 1);
  CHECK(grad_fn_of(y) == "CopySlices");
  CHECK(grad_fn_of(v) == "AsStridedBackward0");
  CHECK(v.grad_fn()->next_edge(0).function == y.grad_fn());
  const auto& slices = static_cast<const autograd::CopySlices&>(*y.grad_fn());
  CHECK(slices.fn->name() == "MulBackward1");
  CHECK((IntArrayRef(slices.view.sizes) == IntArrayRef{2, 2}));
  CHECK(y.grad_fn()->next_edge(0).function->name() == "MulBackward1");  // of y before
  v.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>(4, 6));
}

TEST_CASE("in place: on a part, the rest keeps its gradient") {
  const Tensor x = leaf({2, 3});
  const Tensor y = x * 2;
  scale_(row(y, 1), 5);
  y.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{2, 2, 2, 10, 10, 10});
}

TEST_CASE("in place: a value copied into a part of a base that had no history") {
  const Tensor x = leaf({3});
  const Tensor base = zeros({2, 3}, kDouble);
  const Tensor r = row(base, 0);
  r.copy_(x * 4);
  CHECK(base.requires_grad());
  CHECK(grad_fn_of(base) == "CopySlices");
  CHECK_FALSE(base.grad_fn()->next_edge(0).is_valid());
  CHECK(values(base) == std::vector<double>{4, 4, 4, 0, 0, 0});
  (base * base).sum().backward();
  CHECK(values(x.grad()) == std::vector<double>(3, 32));
}

TEST_CASE("in place: what is overwritten loses its gradient") {
  const Tensor x = leaf({2, 2});
  const Tensor y = x * 1, v = y.t();
  v.copy_(ones({2, 2}, kDouble));
  CHECK(grad_fn_of(v) == "AsStridedBackward0");
  y.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>(4, 0));

  const Tensor z = x * 1;
  row(z, 0).zero_();
  row(z, 1).fill_(7);
  x.mutable_grad() = Tensor();
  z.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>(4, 0));
}

TEST_CASE("in place: two views of one base, and a view of a view, written one after the other") {
  const Tensor x = leaf({2, 2}), k = full({2}, 3, kDouble).requires_grad_();
  const Tensor y = x * 2;                       // 2 2 / 2 2
  const Tensor whole = y.view({4}), first = row(y, 0);
  const Tensor two = whole.as_strided({2}, {1}, 1);  // y[0][1], y[1][0]
  first.mul_(k);                                // 6 6 / 2 2
  two.mul_(two.clone());                        // 6 36 / 4 2
  CHECK(values(y) == std::vector<double>{6, 36, 4, 2});
  CHECK(grad_fn_of(whole) == "AsStridedBackward0");
  CHECK(y._version() == 2);
  whole.sum().backward();
  // d/dx: 2k, 2 (2x k) 2k, 2 (2x) 2, 2;   d/dk: 2x, 2 (2x k) 2x
  CHECK(values(x.grad()) == std::vector<double>{6, 72, 8, 2});
  CHECK(values(k.grad()) == std::vector<double>{2, 24});
}

TEST_CASE("in place: a write to the base after the view was made, and through the view after that") {
  const Tensor x = leaf();
  const Tensor b = zeros({4}, kDouble), v = b.view({2, 2});
  b.add_(x);
  // Nobody has asked for v's grad_fn since: it counts as a leaf, and requires grad because its base does. In PyTorch too.
  CHECK(contains(message_of([&] { scale_(v, 3); }), "a leaf Variable that requires grad"));
  CHECK(grad_fn_of(v) == "AsStridedBackward0");
  scale_(v, 3);
  (v * v).sum().backward();  // 9 x^2
  CHECK(values(x.grad()) == std::vector<double>(4, 18));
}

TEST_CASE("in place: what was saved before the write is refused, by a view too") {
  const Tensor x = leaf();
  const Tensor y = x * 2, z = y * y;
  y.view({2, 2}).add_(ones({2, 2}, kDouble));
  const std::string message = message_of([&] { z.sum().backward(); });
  CHECK(contains(message, "has been modified by an inplace operation: [CPUDoubleType [4]], which is output 0 of CopySlices,"));
  CHECK(contains(message, "is at version 1; expected version 0 instead"));
}

TEST_CASE("in place: the gradient of the operand, and of the view before the write") {
  const Tensor x = leaf({2, 2}), k = full({2}, 3, kDouble).requires_grad_();
  const Tensor y = x * 2, first = row(y, 0), used = first * 10;
  first.mul_(k);
  const auto g = grad({y.sum() + used.sum()}, {x, k});
  CHECK(values(g[0]) == std::vector<double>{26, 26, 2, 2});
  CHECK(values(g[1]) == std::vector<double>{2, 2});
}

TEST_CASE("in place: grad of some inputs only runs the write's node for them") {
  const Tensor x = leaf({2, 2}), k = full({2}, 3, kDouble).requires_grad_();
  const Tensor y = x * 2;
  row(y, 0).mul_(k);
  CHECK(values(grad({y.sum()}, {k}, {}, true)[0]) == std::vector<double>{2, 2});
  CHECK(values(grad({y.sum()}, {x}, {}, true)[0]) == std::vector<double>{6, 6, 2, 2});
  // The view as it was before the write has another reader.
  const Tensor w = x * 2, r = row(w, 0), side = r * k;
  scale_(r, 5);
  CHECK(values(grad({w.sum() + side.sum()}, {x}, {}, true)[0]) ==
        std::vector<double>{16, 16, 2, 2});
}

TEST_CASE("in place: a leaf, and a view of a leaf, are refused and left as they are") {
  const Tensor x = leaf();
  CHECK(contains(message_of([&] { scale_(x, 2); }), "a leaf Variable that requires grad"));
  CHECK(contains(message_of([&] { scale_(x.view({2, 2}), 2); }), "a view of a leaf Variable that requires grad"));
  CHECK(x._version() == 0);
  const Tensor plain = zeros({4}, kDouble), v = plain.view({4});
  v.requires_grad_();  // the view itself is a leaf
  CHECK(contains(message_of([&] { scale_(v, 2); }), "a view of a leaf Variable"));
}

TEST_CASE("in place: twice backward needs retain_graph, through CopySlices too") {
  const Tensor x = leaf();
  const Tensor y = x * 2;
  y.view({2, 2}).mul_(x.view({2, 2}));
  y.sum().backward({}, true);
  y.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>(4, 8));
  CHECK(contains(message_of([&] { y.sum().backward(); }), "Trying to backward through the graph a second time"));
}

TEST_CASE("in place: gradients and second gradients against differences") {
  const auto program = [](const std::vector<Tensor>& in) {
    const Tensor y = in[0] * in[0];
    row(y, 0).mul_(in[1]);
    y.t().as_strided({2}, {3}, 1).add_(row(y, 1).as_strided({2}, {1}, 3).clone() * in[0].as_strided({2}, {1}, 0));
    return y * y;
  };
  check_gradients(program, {noise({2, 3}), noise({3}, 2)});
  const auto gradient = [&](const std::vector<Tensor>& in) {
    const AutoGradMode recording(true);  // the differences are taken without
    const auto g = grad({program(in).sum()}, {in[0], in[1]}, {}, true, /*create_graph=*/true);
    return g[0].sum() + (g[1] * g[1]).sum();
  };
  check_gradients(gradient, {noise({2, 3}), noise({3}, 2)}, 1e-5);
}

TEST_CASE("in place: the graph of a rewritten view is freed") {
  std::weak_ptr<autograd::Node> node;
  {
    const Tensor x = leaf();
    const Tensor y = x * 2, v = y.view({2, 2});
    for (int i = 0; i < 3; ++i) scale_(v, 2);
    node = y.grad_fn();
    v.sum().backward();
  }
  CHECK(node.expired());
}

TEST_CASE("detach_: a leaf without gradient from now on; its past keeps its graph") {
  const Tensor x = leaf();
  const Tensor h = x * 3, z = h * h, before = h * 2;
  Tensor& same = h.detach_();
  CHECK(same.is_same(h));
  CHECK(h.is_leaf());
  CHECK_FALSE(h.requires_grad());
  CHECK(h._version() == 0);
  CHECK(h.output_nr() == 0);
  before.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>(4, 6));
  CHECK(contains(message_of([&] { z.sum().backward(); }),
                 "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_()"));
  CHECK(contains(message_of([&] { (x * 2).view({2, 2}).detach_(); }), "Can't detach views in-place. Use detach() instead"));
  const Tensor w = leaf();
  w.detach_();
  CHECK_FALSE(w.requires_grad());
}

TEST_CASE("set_data: other data under the same history and version") {
  const Tensor y = leaf({3});
  y.detach().add_(ones({3}, kDouble));
  const Tensor z = (y * 2).sum();
  y.set_data(full({2}, 5, kDouble));
  CHECK((y.sizes() == IntArrayRef{2}));
  CHECK(y._version() == 1);
  CHECK(y.requires_grad());
  (y * y).sum().backward();  // a new accumulator, for the new sizes
  CHECK(values(y.grad()) == std::vector<double>{10, 10});
  CHECK(contains(message_of([&] { y.set_data(ones({2}, kLong)); }), "must be floating point"));
  CHECK(contains(message_of([&] { y.set_data(empty({2}, TensorOptions(kDouble).device(kMeta))); }),
                 "incompatible tensor type"));
}
