#include "library/custom_op.h"

#include <doctest/doctest.h>

#include <cstring>
#include <optional>

#include "autograd/autograd.h"
#include "core/autograd_state.h"
#include "library/testing.h"
#include "ops/softmax/softmax.h"
#include "ops/testing/testing.h"

using namespace gb;
using gb::tests::contains;
using gb::tests::message_of;
using gb::tests::noise;
using gb::tests::values;

namespace {

double largest_difference(const Tensor& a, const Tensor& b) {
  const std::vector<double> x = values(a), y = values(b);
  double largest = 0;
  for (size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  return largest;
}
Tensor meta(IntArrayRef sizes) { return testing::softmax_fake(noise(sizes)); }
Tensor copy_of(const Tensor& x) { return x.clone(); }
bool exists(const char* name) { return Dispatcher::singleton().findOp({name, ""}).has_value(); }
std::string reason(const CustomOpDef& op, DispatchKey k) {
  return impl::toString(op.handle().entry().reason(k));
}

}  // namespace

TEST_CASE("custom_op: forward and backward agree with aten::softmax, 8 x 600 float32") {
  const CustomOpDef op = testing::define_softmax();
  const Tensor a = noise({8, 600}, 1, kFloat).requires_grad_(), b = a.detach().clone().requires_grad_();
  const Tensor ours = op.call<Tensor>(a), theirs = gb::softmax(b, -1);
  CHECK(largest_difference(ours, theirs) < 1e-6);

  const Tensor grad = noise({8, 600}, 2, kFloat);  // the gradient of sum(y) is zero and would prove nothing
  const Tensor ga = autograd::grad({ours}, {a}, {grad})[0], gb_ = autograd::grad({theirs}, {b}, {grad})[0];
  CHECK(largest_difference(ga, gb_) < 1e-6);
  CHECK(largest_difference(ga, ga.mul(0)) > 1e-4);
}

TEST_CASE("custom_op: the tape names the operator and shows what setup_context kept") {
  const CustomOpDef op = testing::define_softmax();
  const Tensor x = noise({2, 3}).requires_grad_();
  const Tensor y = op.call<Tensor>(x);
  CHECK(y.grad_fn()->name() == "GeneratedBackwardFor_lynx_cortex_softmax_defaultBackward");
  REQUIRE(y.grad_fn()->saved().size() == 1);
  CHECK(y.grad_fn()->saved()[0].variable->is_output());
  CHECK(y.grad_fn()->num_outputs() == 1);
  y.sum().backward();
  CHECK(x.grad().defined());
  CHECK(contains(message_of([&] { y.sum().backward(); }), "backward through the graph a second time"));
  const NoGradGuard no_grad;
  CHECK_FALSE(op.call<Tensor>(x).requires_grad());
}

TEST_CASE("custom_op: both calling conventions, and backward after the definition is gone") {
  Tensor x = noise({2, 3}).requires_grad_(), y;
  {
    const CustomOpDef op = testing::define_softmax();
    const auto typed = op.handle().typed<Tensor(const Tensor&)>();
    CHECK(values(typed.call(x)) == values(op.call<Tensor>(x)));
    y = typed.call(x);
    CHECK(y.requires_grad());
  }
  y.sum().backward();
  CHECK(x.grad().defined());
  CHECK_FALSE(exists("lynx_cortex::softmax"));
  CHECK(testing::define_softmax().handle().hasSchema());  // may be defined again
}

TEST_CASE("custom_op: what each register_ fills, and dump()") {
  using K = DispatchKey;
  CustomOpDef op = custom_op("lynx_cortex::softmax(Tensor x) -> Tensor", testing::softmax_forward);
  CHECK(reason(op, K::CPU) == "CompositeExplicitAutograd kernel");
  CHECK(reason(op, K::CUDA) == "CompositeExplicitAutograd kernel");
  CHECK(reason(op, K::Meta) == "kernel for this key");
  CHECK(reason(op, K::AutogradCPU) == "backend fallback");
  CHECK(contains(op.dump(), "no register_fake for custom_op at library/custom_op_test.cc:"));

  op.register_kernel(kCUDA, testing::softmax_forward);
  CHECK(reason(op, K::CUDA) == "kernel for this key");
  CHECK(reason(op, K::CPU) == "CompositeExplicitAutograd kernel");
  op.register_fake(testing::softmax_fake)
      .register_autograd(testing::softmax_backward, testing::softmax_setup_context);
  CHECK(reason(op, K::AutogradCPU) == "Autograd alias kernel");
  const std::string text = op.dump();
  CHECK(contains(text, "schema: lynx_cortex::softmax(Tensor x) -> Tensor\n"));
  CHECK_FALSE(contains(text, "no register_fake"));
  for (const char* key : {"CompositeExplicitAutograd: ", "CUDA: ", "Meta: ", "Autograd: "}) {
    CHECK(contains(text, std::string(key) + "library/custom_op_test.cc:"));
  }
}

TEST_CASE("custom_op: fake") {
  const CustomOpDef op = testing::define_softmax();
  const Tensor y = op.call<Tensor>(meta({8, 600}));
  CHECK(y.is_meta());
  CHECK((y.sizes() == IntArrayRef{8, 600}));

  const CustomOpDef bare = custom_op("lynx_cortex::bare(Tensor x) -> Tensor", copy_of);
  const std::string text = message_of([&] { bare.call<Tensor>(meta({2})); });
  CHECK(contains(text, "lynx_cortex::bare: There was no fake impl registered for this operator"));
  CHECK(contains(text, "call .register_fake(f)"));
  CHECK(contains(text, chapters::kCustomOps));
}

TEST_CASE("custom_op: without register_autograd, backward names the operator") {
  const CustomOpDef op = custom_op("lynx_cortex::bare(Tensor x) -> Tensor", copy_of);
  const Tensor y = op.call<Tensor>(noise({2}).requires_grad_());
  CHECK(contains(message_of([&] { y.sum().backward(); }), "lynx_cortex::bare"));
}

TEST_CASE("custom_op: defaults, wrong arguments") {
  const CustomOpDef op =
      custom_op("lynx_cortex::scale(Tensor x, float by=3., int twice=0) -> Tensor",
                [](const Tensor& x, double by, int64_t twice) { return x.mul(by * (twice ? 2 : 1)); });
  const Tensor x = tests::ramp({3});
  CHECK(values(op.call<Tensor>(x)) == std::vector<double>{0, 3, 6});
  CHECK(values(op.call<Tensor>(x, 2.0)) == std::vector<double>{0, 2, 4});
  CHECK(values(op.call<Tensor>(x, 2.0, 1)) == std::vector<double>{0, 4, 8});
  CHECK(contains(message_of([&] { op.call<Tensor>(); }), "argument `x` is missing"));
  CHECK(contains(message_of([&] { op.call<Tensor>(x, "two"); }), "by"));
  const CustomOpDef count = custom_op(
      "lynx_cortex::count(Tensor x, Tensor?[] xs=[]) -> int",
      [](const Tensor&, const List<std::optional<Tensor>>& xs) { return static_cast<int64_t>(xs.size()); });
  CHECK(count.call<int64_t>(x) == 0);
  CHECK(count.call<int64_t>(x, std::vector<std::optional<Tensor>>{std::nullopt, x}) == 2);
}

TEST_CASE("custom_op: a mutable operator bumps versions, and takes no formula") {
  CustomOpDef op = custom_op("lynx_cortex::zero_(Tensor(a!) x) -> ()", [](const Tensor& x) { x.zero_(); });
  const Tensor x = tests::ramp({3});
  const int64_t before = x._version();
  op.call<void>(x);
  CHECK(values(x) == std::vector<double>{0, 0, 0});
  CHECK(x._version() == before + 1);
  const Tensor leaf = noise({2}).requires_grad_();
  CHECK(contains(message_of([&] { op.call<void>(leaf); }), "leaf"));
  const Tensor y = leaf.mul(leaf), z = y.exp();  // exp keeps z, mul keeps leaf
  op.call<void>(z);
  CHECK(z._version() == 1);
  CHECK(contains(message_of([&] { z.sum().backward(); }), "lynx_cortex::zero_"));
  op.call<void>(meta({2}));  // nothing to fake
  const std::string table = op.dump();
  const std::string text = message_of([&] {
    op.register_autograd([](autograd::AutogradContext&, const std::vector<Tensor>& g) { return g; });
  });
  CHECK(contains(text, "Cannot register autograd formula for non-functional operator lynx_cortex::zero_"));
  CHECK(contains(text, "lynx_cortex::zero_(Tensor(a!) x) -> ()"));
  CHECK(op.dump() == table);
}

TEST_CASE("custom_op: refused registrations leave nothing behind") {
  CHECK(contains(message_of([] { custom_op("lynx_cortex::bad(Tensor x -> Tensor", copy_of); }), "^"));
  CHECK(contains(message_of([] { custom_op("softmax(Tensor x) -> Tensor", copy_of); }),
                 "custom_op: softmax has no namespace"));
  CHECK(contains(message_of([] {
                   custom_op("lynx_cortex::bad(int a=1, Tensor x) -> Tensor",
                             [](int64_t, const Tensor& x) { return x; });
                 }),
                 "x"));
  CHECK(contains(message_of([] { custom_op("lynx_cortex::bad(Tensor x, int n) -> Tensor", copy_of); }),
                 "the schema and the C++ signature of a kernel differ"));
  CHECK_FALSE(exists("lynx_cortex::bad"));

  CustomOpDef op = testing::define_softmax();
  const std::string table = op.dump();
  CHECK(contains(message_of([] { testing::define_softmax(); }),
                 "custom_op: lynx_cortex::softmax is defined already"));
  CHECK(contains(message_of([&] { op.register_fake(testing::softmax_fake); }),
                 "register_fake: the operator lynx_cortex::softmax already has a DispatchKey::Meta implementation"));
  CHECK(contains(message_of([&] { op.register_autograd(testing::softmax_backward); }),
                 "the operator lynx_cortex::softmax already has a DispatchKey::Autograd implementation"));
  CHECK(contains(message_of([&] { op.register_forward(testing::softmax_forward); }),
                 "already has a DispatchKey::CompositeExplicitAutograd implementation"));
  CHECK(contains(message_of([&] { op.register_kernel(kMeta, testing::softmax_forward); }),
                 "use register_fake"));
  CHECK(op.dump() == table);

  CustomOpDef bare = custom_op("lynx_cortex::bare(Tensor x) -> Tensor", copy_of);
  const std::string before = bare.dump();
  CHECK(contains(message_of([&] { bare.register_fake([](const Tensor& x, int64_t) { return x; }); }),
                 "differ"));
  CHECK(bare.dump() == before);
}

TEST_CASE("custom_op: the trivial fake is for operators that write and return nothing, and may be replaced") {
  CustomOpDef op = custom_op("lynx_cortex::zero_(Tensor(a!) x) -> ()", [](const Tensor& x) { x.zero_(); });
  const Tensor x = meta({2});
  op.call<void>(x);
  CHECK(x._version() == 1);
  int calls = 0;
  op.register_fake([&](const Tensor&) { ++calls; });
  op.call<void>(x);
  CHECK(calls == 1);
  const CustomOpDef pure = custom_op("lynx_cortex::look(Tensor x) -> ()", [](const Tensor&) {});
  CHECK(contains(message_of([&] { pure.call<void>(x); }), "There was no fake impl registered"));
}

TEST_CASE("custom_op: versions of what is written, in lists and optionals too, and only of that") {
  const CustomOpDef op =
      custom_op("lynx_cortex::put(Tensor from, Tensor(a!)[] to, Tensor(b!)? also, *, Tensor(c!) out) -> Tensor(c!)",
                [](const Tensor& from, TensorList, const std::optional<Tensor>&, Tensor& out) -> Tensor& {
                  std::memcpy(out.data_ptr<double>(), from.const_data_ptr<double>(), 16);
                  return out;
                });
  const Tensor from = tests::ramp({2}), out = noise({2});
  const std::vector<Tensor> to{noise({2}), noise({2})};
  CHECK(op.call<Tensor>(from, to, std::nullopt, out).is_same(out));
  CHECK(op.call<Tensor>(from, to, to[1], out).is_same(out));
  CHECK(from._version() == 0);
  CHECK(to[0]._version() == 2);
  CHECK(to[1]._version() == 3);
  CHECK(out._version() == 2);
  const NoGradGuard no_grad;
  op.call<Tensor>(from, to, std::nullopt, out);
  CHECK(out._version() == 3);
}

TEST_CASE("custom_op: the verbs may come in any order, after calls too") {
  CustomOpDef op = custom_op("lynx_cortex::late(Tensor x) -> Tensor");
  op.register_autograd([](autograd::AutogradContext&, const Tensor& g) { return g.mul(2); });
  const Tensor x = tests::ramp({2}).requires_grad_();
  CHECK(contains(message_of([&] { op.call<Tensor>(x); }), "lynx_cortex::late"));
  op.register_fake(testing::softmax_fake);
  op.register_forward([](const Tensor& t) { return t.mul(2); });
  op.call<Tensor>(x).sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{2, 2});
  op.register_kernel(kCPU, [](const Tensor& t) { return t.mul(3); });
  CHECK(values(op.call<Tensor>(x)) == std::vector<double>{0, 3});
}

TEST_CASE("custom_op: copies are one operator, which lives as long as the last; a moved-from one says so") {
  std::optional<CustomOpDef> copy;
  const OperatorHandle handle = [&] {
    CustomOpDef op = testing::define_softmax();
    copy = op;
    const CustomOpDef moved = std::move(op);
    CHECK(moved.name() == "lynx_cortex::softmax");
    CHECK(contains(message_of([&] { op.handle(); }), "this CustomOpDef was moved from"));
    CHECK(contains(message_of([&] { op.register_fake(testing::softmax_fake); }), "this CustomOpDef was moved from"));
    CHECK(contains(message_of([&] { op.call<Tensor>(noise({2})); }), "this CustomOpDef was moved from"));
    return moved.handle();
  }();
  const auto typed = handle.typed<Tensor(const Tensor&)>();
  CHECK(typed.call(noise({2, 2})).defined());
  copy.reset();
  CHECK_FALSE(exists("lynx_cortex::softmax"));
  CHECK(contains(message_of([&] { typed.call(noise({2})); }), "removed"));
  CHECK(contains(message_of([&] { Stack stack{noise({2})}; handle.callBoxed(stack); }), "removed"));
}
