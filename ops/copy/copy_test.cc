#include "ops/copy/copy.h"

#include "autograd/node.h"
#include "core/autograd_state.h"
#include "core/error.h"
#include "ops/arithmetic/arithmetic.h"
#include "ops/factories/factories.h"
#include "ops/factories/tensor.h"
#include "ops/testing/testing.h"

namespace gb::tests {
namespace {

TEST_CASE("copy_ broadcasts, converts and keeps the strides of what it writes") {
  Tensor x = zeros({2, 3}, kDouble);
  x.copy_(tensor({1, 2, 3}));
  check_values(x, {1, 2, 3, 1, 2, 3});
  CHECK(x._version() == 1);
  const Tensor columns = zeros({3, 2}).t();
  columns.copy_(tensor({{1, 2, 3}, {4, 5, 6}}));
  check_values(columns, {1, 2, 3, 4, 5, 6});
  CHECK((columns.strides() == IntArrayRef({1, 2})));
  Tensor i = zeros({3}, kLong);
  i.copy_(tensor({1.9, -1.9, 0.5}));
  check_values(i, {1, -1, 0});  // toward zero
  Tensor b = zeros({3}, kBool);
  b.copy_(tensor({0.0, 0.5, -1.0}));
  check_values(b, {0, 1, 1});
  x.copy_(x);
  check_values(x, {1, 2, 3, 1, 2, 3});
}

TEST_CASE("copy_ refuses what would lose or repeat elements") {
  const Tensor x = zeros({2, 3});
  CHECK(contains(message_of([&] {
                   x.copy_(zeros({4, 3}));
                 }),
                 "The size of tensor a (2) must match the size of tensor b (4)"));
  CHECK(contains(message_of([&] { tensor(0.5).copy_(x); }),
                 "output with shape [] doesn't match the broadcast shape [2, 3]"));
  CHECK(contains(message_of([&] {
                   zeros({3}).expand({2, 3}).copy_(x);
                 }),
                 "refers to a single memory location"));
  const Tensor wide = zeros({3}).expand({2, 3});
  CHECK(wide.copy_(wide).is_same(wide));  // onto itself: nothing is written
  CHECK(contains(message_of([&] { x.copy_(Tensor()); }), "got an undefined Tensor for argument 'src'"));
  CHECK(contains(message_of([&] {
                   x.copy_(empty({2, 3}, kMeta));
                 }),
                 "Cannot copy out of meta tensor; no data!"));
  CHECK(x._version() == 0);
  empty({2, 3}, kMeta).copy_(x);  // the other way nothing has to be read
}

TEST_CASE("clone keeps the layout, contiguous makes rows") {
  const Tensor t = ramp({2, 3}).t();
  CHECK((clone(t).strides() == IntArrayRef({1, 3})));
  CHECK((t.clone(MemoryFormat::Contiguous).strides() == IntArrayRef({2, 1})));
  CHECK((t.contiguous().strides() == IntArrayRef({2, 1})));
  check_values(t.contiguous(), {0, 3, 1, 4, 2, 5});
  const Tensor c = clone(t);
  CHECK(!c.is_alias_of(t));
  CHECK(c._version() == 0);
  const Tensor x = ramp({2, 3});
  CHECK(x.contiguous().is_same(x));
  const Tensor expanded = ramp({1, 3}).expand({2, 3});
  CHECK((clone(expanded).strides() == IntArrayRef({3, 1})));
  CHECK(clone(zeros({0, 3})).numel() == 0);
}

TEST_CASE("to returns the tensor itself where nothing changes") {
  const Tensor x = ramp({2, 3});
  CHECK(x.to(kDouble).is_same(x));
  CHECK(x.cpu().is_same(x));
  CHECK(!x.to(kDouble, false, /*copy=*/true).is_same(x));
  CHECK((x.to(kFloat).scalar_type() == kFloat));
  CHECK((x.t().to(kFloat).strides() == IntArrayRef({1, 3})));
  CHECK(x.to(kMeta).is_meta());
  CHECK((x.to(kMeta).sizes() == x.sizes()));
  CHECK(contains(message_of([&] { x.to(kMeta).to(kCPU); }), "Cannot copy out of meta tensor"));
  CHECK(contains(message_of([&] { x.to(kByte); }), "tensors of dtype Byte are not supported"));
}

TEST_CASE("detach shares data and version, not history") {
  const Tensor a = ones({2}, requires_grad(true));
  Tensor y = mul(a, 2);
  const Tensor d = y.detach();
  CHECK(!d.requires_grad());
  CHECK(!d.grad_fn());
  CHECK(d.is_alias_of(y));
  d.fill_(7);
  check_values(y.detach(), {7, 7});
  CHECK(y._version() == 1);
}

TEST_CASE("item reads one element of any dtype") {
  CHECK(tensor(2.5).item<double>() == 2.5);
  CHECK(tensor({{7}}).item<int64_t>() == 7);
  CHECK(tensor(true).item<bool>());
  CHECK(tensor(1.5).to(kHalf).item<float>() == 1.5f);
  CHECK(tensor(1.5).to(kBFloat16).item<float>() == 1.5f);
  CHECK((tensor(3).to(kInt).item().type() == kLong));
  CHECK(ones({}, requires_grad(true)).item<float>() == 1);
  CHECK(contains(message_of([] {
                   ramp({2, 3}).item();
                 }),
                 "a Tensor with 6 elements cannot be converted to Scalar"));
  CHECK(contains(message_of([] { zeros({0}).item(); }), "a Tensor with 0 elements"));
  CHECK(contains(message_of([] { empty({}, kMeta).item(); }), "a meta tensor has no data"));
}

TEST_CASE("fill_ and zero_, expanded tensors too") {
  const Tensor x = ramp({2, 3});
  x.t().fill_(2);
  check_values(x, {2, 2, 2, 2, 2, 2});
  x.zero_();
  check_values(x, {0, 0, 0, 0, 0, 0});
  CHECK(x._version() == 2);
  const Tensor row = zeros({1, 3});
  row.expand({2, 3}).fill_(4);
  check_values(row, {4, 4, 4});
}

TEST_CASE("gradients") {
  check_gradients([](const std::vector<Tensor>& v) { return clone(v[0].t()); }, {noise({2, 3})});
  check_gradients([](const std::vector<Tensor>& v) { return v[0].to(kDouble, false, true); },
                  {noise({2, 3})});
  check_gradients(
      [](const std::vector<Tensor>& v) {
        Tensor z = mul(v[0], v[0]);
        z.copy_(v[1]);
        return mul(z, v[0]);
      },
      {noise({2, 3}, 1), noise({3}, 2)});
  const Tensor a = ones({2}, requires_grad(true));
  auto name = [](const Tensor& t) { return t.grad_fn()->name(); };
  CHECK(name(clone(a)) == "CloneBackward0");
  CHECK(name(a.to(kDouble)) == "ToCopyBackward0");
  CHECK(name(clone(a).copy_(zeros({2}))) == "CopyBackwards");
  CHECK(name(zeros({2}).copy_(a)) == "CopyBackwards");
  CHECK(name(clone(a).fill_(2)) == "FillBackward2");
  CHECK(name(clone(a).zero_()) == "ZeroBackward0");
  CHECK(contains(message_of([&] { a.zero_(); }), "a leaf Variable that requires grad"));
}

}  // namespace
}  // namespace gb::tests
