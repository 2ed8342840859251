#include "ops/set/set.h"

#include "autograd/node.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("set_: the tensor shows other memory, and the old one is left alone") {
  const Tensor a = ramp({2, 3}), was = a.view({6}), b = ramp({4}) + 10;
  CHECK(a.set_(b).is_same(a));
  CHECK(a.is_alias_of(b));
  check_values(a, {10, 11, 12, 13});
  check_values(was, {0, 1, 2, 3, 4, 5});
  CHECK(a._version() == 1);
  CHECK(b._version() == 0);
  b.mul_(2);
  check_values(a, {20, 22, 24, 26});
  CHECK(a._version() == 1);  // the memory is shared, the version is not
  a.set_(b, 1, {2}, {2});
  check_values(a, {22, 26});
  a.set_(b.storage(), 2, {2});
  check_values(a, {24, 26});
  a.set_(b.storage());
  CHECK((a.sizes() == IntArrayRef{4}));
  a.set_();
  CHECK(a.numel() == 0);
  CHECK((a.sizes() == IntArrayRef{0}));
  CHECK_FALSE(a.is_alias_of(b));
  CHECK(a._version() == 5);
}

TEST_CASE("set_: dtype stays, and a storage that is too small grows for all who share it") {
  const Tensor d = zeros({2}, kDouble), f = full({5}, 1, kFloat);
  d.set_(f.storage());
  CHECK((d.scalar_type() == kDouble));
  CHECK((d.sizes() == IntArrayRef{2}));  // 20 bytes hold two
  const Tensor small = ramp({2}), large = zeros({1}, kDouble);
  large.set_(small.storage(), 1, {3});
  CHECK(small.storage().nbytes() == 32);
  check_values(small, {0, 1});
  CHECK((large.const_data_ptr<double>() == small.const_data_ptr<double>() + 1));
  const Storage fixed(Storage::use_byte_size_t(), 8, GetCPUAllocator());
  CHECK(contains(message_of([&] { large.set_(fixed, 0, {2}); }), "Trying to resize storage that is not resizable"));
  CHECK((large.sizes() == IntArrayRef{3}));
}

TEST_CASE("set_: what is refused changes nothing") {
  const Tensor a = ramp({2, 3}), b = ramp({4});
  CHECK(contains(message_of([&] { a.set_(b.storage(), -1, {2}); }), "invalid storage offset -1"));
  CHECK(contains(message_of([&] { a.set_(b.storage(), 0, {-2}, {1}); }), "negative"));
  CHECK(contains(message_of([&] { a.set_(b.storage(), 0, {2}, {-1}); }), "negative"));
  CHECK(!message_of([&] { a.set_(b.storage(), 0, {2}, {1, 1}); }).empty());
  CHECK(contains(message_of([&] { a.set_(b.storage(), 1, {int64_t{1} << 62}, {8}); }), "overflow"));
  CHECK(contains(message_of([&] { a.set_(empty({2}, TensorOptions(kDouble).device(kMeta))); }),
                 "a tensor on device \"cpu\" to a storage on different device \"meta\""));
  CHECK(contains(message_of([&] { a.set_(Storage()); }), "the source has no storage"));
  CHECK((a.sizes() == IntArrayRef{2, 3}));
  CHECK(a._version() == 0);
}

TEST_CASE("set_: on the tape a write that has no gradient") {
  const Tensor x = noise({2, 3}).requires_grad_(), b = ramp({4});
  CHECK(contains(message_of([&] { x.set_(b); }), "a leaf Variable that requires grad"));
  const Tensor h = x * 1, y = h * h, before = h * 2;
  h.set_(b);
  CHECK(h.grad_fn()->name() == "NotImplemented");
  CHECK(contains(message_of([&] { h.sum().backward(); }), "derivative for aten::set_.source_Tensor is not implemented"));
  CHECK(contains(message_of([&] { y.sum().backward(); }), "aten::set_.source_Tensor wrote it last"));
  before.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>(6, 2));
  {
    NoGradGuard guard;
    x.set_(b);
  }
  CHECK((x.sizes() == IntArrayRef{4}));
  CHECK(x.requires_grad());
}

TEST_CASE("set_: a view that comes to lie outside of its base's memory") {
  const Tensor x = noise({2, 3}).requires_grad_(), larger = ramp({40});
  const Tensor base = x * 2, view = base.select(0, 0);
  CHECK(message_of([&] { view.set_(larger); }).empty());
  CHECK((view.sizes() == IntArrayRef{40}));
  CHECK(view._version() == 1);
  CHECK(base.grad_fn()->name() == "CopySlices");
  CHECK(view.grad_fn()->name() == "AsStridedBackward0");
  CHECK(view.grad_fn()->next_edge(0).function == base.grad_fn());
  CHECK(contains(message_of([&] { view.sum().backward(); }), "out of bounds"));
  CHECK_FALSE(x.grad().defined());

  const Tensor other = x * 2, of_other = other.select(0, 1);
  other.set_(ramp({1}));  // now it is the base that is too small
  CHECK(of_other.grad_fn()->name() == "AsStridedBackward0");
  check_values(of_other.detach(), values(x.detach().select(0, 1) * 2));
}

TEST_CASE("set_: a view, in no-grad mode, keeps the gradient of where it lies") {
  const Tensor x = noise({2, 3}).requires_grad_();
  const Tensor base = x * 2, view = base.select(0, 1), wider = base.select(0, 1);
  {
    NoGradGuard guard;
    view.set_(ramp({20}), 4, {3}, {1});
    wider.set_(ramp({20}));
  }
  CHECK(view.grad_fn()->name() == "AsStridedBackward0");
  view.sum().backward({}, /*retain_graph=*/true);  // elements 4 to 6 of the base, which has 6
  check_values(x.grad(), {0, 0, 0, 0, 2, 2});
  wider.sum().backward();
  check_values(x.grad(), {2, 2, 2, 2, 4, 4});
}
