#include "library/custom_op.h"

#include <doctest/doctest.h>

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
}

TEST_CASE("custom_op: several outputs, a list of tensors, and an argument without gradient") {
  const CustomOpDef op =
      custom_op("lynx_cortex::sums(Tensor[] xs, int n, Tensor y) -> (Tensor, Tensor)",
                [](TensorList xs, int64_t n, const Tensor& y) {
                  return std::make_tuple(xs[0].add(xs[1]).mul(n), y.mul(y));
                })
          .register_autograd(
              [](autograd::AutogradContext& ctx, const std::vector<Tensor>& g) {
                const int64_t n = ctx.saved_data["n"].toInt();
                return std::vector<Tensor>{g[0].mul(n), g[0].mul(n), Tensor(),
                                           g[1].mul(ctx.get_saved_variables()[0]).mul(2)};
              },
              [](autograd::AutogradContext& ctx, ArrayRef<IValue> inputs, const IValue& output) {
                CHECK(output.toTupleRef().size() == 2);
                ctx.saved_data["n"] = inputs[1];
                ctx.save_for_backward({inputs[2].toTensor()});
              });
  const std::vector<Tensor> xs{tests::ramp({2}).requires_grad_(), tests::ramp({2}).requires_grad_()};
  const Tensor y = tests::ramp({2}).requires_grad_();
  const auto [a, b] = op.call<std::tuple<Tensor, Tensor>>(xs, 5, y);
  const auto grads = autograd::grad({a.sum(), b.sum()}, {xs[0], xs[1], y});
  CHECK(values(grads[0]) == std::vector<double>{5, 5});
  CHECK(values(grads[2]) == std::vector<double>{0, 2});
}

TEST_CASE("custom_op: backward with the wrong number of gradients") {
  const CustomOpDef op =
      custom_op("lynx_cortex::two(Tensor x, Tensor y) -> Tensor", [](const Tensor& x, const Tensor& y) {
        return x.add(y);
      }).register_autograd([](autograd::AutogradContext&, const Tensor& g) { return g; });
  const Tensor x = noise({2}).requires_grad_();
  const Tensor z = op.call<Tensor>(x, x);
  CHECK(
      contains(message_of([&] { z.sum().backward(); }), "incorrect number of gradients (expected 2, got 1)"));
}

TEST_CASE("custom_op: a mutable operator bumps versions, and takes no formula") {
  CustomOpDef op = custom_op("lynx_cortex::zero_(Tensor(a!) x) -> ()", [](const Tensor& x) { x.zero_(); });
  const Tensor x = tests::ramp({3});
  const int64_t before = x._version();
  op.call<void>(x);
  CHECK(values(x) == std::vector<double>{0, 0, 0});
  CHECK(x._version() == before + 1);
  op.call<void>(meta({2}));  // nothing to fake
  const std::string table = op.dump();
  const std::string text = message_of([&] {
    op.register_autograd([](autograd::AutogradContext&, const std::vector<Tensor>& g) { return g; });
  });
  CHECK(contains(text, "Cannot register autograd formula for non-functional operator lynx_cortex::zero_"));
  CHECK(contains(text, "lynx_cortex::zero_(Tensor(a!) x) -> ()"));
  CHECK(op.dump() == table);
}

TEST_CASE("custom_op: results may not alias arguments or each other") {
  const Tensor x = noise({4});
  const CustomOpDef same =
      custom_op("lynx_cortex::same(Tensor x) -> Tensor", [](const Tensor& t) { return t; });
  const std::string text = message_of([&] { same.call<Tensor>(x); });
  CHECK(contains(
      text,
      "lynx_cortex::same: the output of this custom operator may not alias an input or another output"));
  CHECK(contains(text, "output 0 is input 0"));
  const CustomOpDef view = custom_op("lynx_cortex::v(Tensor x) -> Tensor", [](const Tensor& t) {
    return t.view({2, 2});
  });
  CHECK(contains(message_of([&] { view.call<Tensor>(x); }), "output 0 shares its storage with input 0"));
  const CustomOpDef twice =
      custom_op("lynx_cortex::twice(Tensor x) -> (Tensor, Tensor)", [](const Tensor& t) {
        const Tensor y = t.clone();
        return std::make_tuple(y, y);
      });
  CHECK(
      contains(message_of([&] { twice.handle().typed<std::tuple<Tensor, Tensor>(const Tensor&)>().call(x); }),
               "output 1 is output 0"));
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
                 "register_fake: lynx_cortex::softmax has a kernel for Meta already"));
  CHECK(contains(message_of([&] { op.register_autograd(testing::softmax_backward); }),
                 "register_autograd: lynx_cortex::softmax has a kernel for Autograd already"));
  CHECK(contains(message_of([&] { op.register_forward(testing::softmax_forward); }),
                 "CompositeExplicitAutograd already"));
  CHECK(contains(message_of([&] { op.register_kernel(kMeta, testing::softmax_forward); }),
                 "use register_fake"));
  CHECK(op.dump() == table);

  CustomOpDef bare = custom_op("lynx_cortex::bare(Tensor x) -> Tensor", copy_of);
  const std::string before = bare.dump();
  CHECK(contains(message_of([&] { bare.register_fake([](const Tensor& x, int64_t) { return x; }); }),
                 "differ"));
  CHECK(bare.dump() == before);
}
