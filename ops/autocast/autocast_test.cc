#include "ops/autocast/autocast.h"

#include <map>
#include <thread>

#include "autograd/autograd.h"
#include "autograd/inference_mode.h"
#include "autograd/node.h"
#include "dispatcher/dispatch_mode.h"
#include "dispatcher/explain.h"
#include "dispatcher/trace.h"
#include "ops/autocast/wrap.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;
using autocast::AutocastGuard;

namespace {

Tensor leaf(IntArrayRef sizes, uint64_t seed) { return noise(sizes, seed, kFloat).requires_grad_(); }

// "SoftmaxBackward0 > AddmmBackward0 > ...": along the last edge of every node.
std::string chain(const Tensor& t) {
  std::string names;
  for (const autograd::Node* node = t.grad_fn().get(); node;
       node = node->next_edges().empty() ? nullptr : node->next_edges().back().function.get())
    names += (names.empty() ? "" : " > ") + node->name();
  return names;
}

std::string without_lines(std::string text) {  // "wrap.cc:12" -> "wrap.cc:N"
  for (size_t at = 0; (at = text.find(".cc:", at)) != std::string::npos;) {
    at += 4;
    size_t end = at;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    text.replace(at, end - at, "N");
  }
  return text;
}

}  // namespace

TEST_CASE("a region: enabled for one device, off afterwards, also when something throws") {
  CHECK_FALSE(autocast::is_autocast_enabled(kCPU));
  {
    const AutocastGuard region(kCPU);
    CHECK(autocast::is_autocast_enabled(kCPU));
    CHECK_FALSE(autocast::is_autocast_enabled(kCUDA));
    {
      const AutocastGuard off(kCPU, {}, false);
      CHECK_FALSE(autocast::is_autocast_enabled(kCPU));
      CHECK((linear(noise({2, 3}, 1, kFloat), noise({4, 3}, 2, kFloat)).scalar_type() == kFloat));
    }
    CHECK(autocast::is_autocast_enabled(kCPU));
    CHECK_THROWS_AS(noise({2, 3}, 1, kFloat).mm(noise({2, 3}, 1, kFloat)), Error);
    CHECK(autocast::is_autocast_enabled(kCPU));
    std::thread([] { CHECK_FALSE(autocast::is_autocast_enabled(kCPU)); }).join();
  }
  CHECK_FALSE(autocast::is_autocast_enabled(kCPU));
  CHECK(impl::tls_is_dispatch_key_excluded(DispatchKey::AutocastFunctionality));
  CHECK_FALSE(autocast::is_autocast_enabled(kMeta));
  CHECK(contains(message_of([] { autocast::set_autocast_enabled(kMeta, true); }),
                 "unknown device type for autocast"));
  CHECK(
      contains(message_of([] { const AutocastGuard bad(kCPU, kDouble); }), "not a dtype of lower precision"));
  CHECK(autocast::increment_nesting() == 1);  // a refused region is not counted
  CHECK(autocast::decrement_nesting() == 0);
}

TEST_CASE(
    "dtypes on the CPU: products in the region's dtype, the rest as it comes, double and integers alone") {
  const Tensor x = noise({2, 3}, 1, kFloat), w = noise({4, 3}, 2, kFloat), b = noise({4}, 3, kFloat);
  for (const ScalarType low : {kBFloat16, kHalf}) {
    const AutocastGuard region(kCPU, low);
    CHECK((autocast::get_autocast_dtype(kCPU) == low));
    CHECK((linear(x, w, b).scalar_type() == low));
    CHECK((x.mm(w.t()).scalar_type() == low));
    CHECK((addmm(b, x, w.t()).scalar_type() == low));
    CHECK((softmax(linear(x, w, b), -1).scalar_type() == low));
    CHECK((x.exp().scalar_type() == kFloat));
    CHECK((x.add(linear(x, w, b).sum()).scalar_type() == kFloat));
    CHECK((x.to(kDouble).mm(w.to(kDouble).t()).scalar_type() == kDouble));
    CHECK((tensor({{1, 2}}).mm(tensor({{1}, {2}})).scalar_type() == kLong));
  }
  CHECK((autocast::get_autocast_dtype(kCPU) == kBFloat16));
}

TEST_CASE("gradients arrive in float32 at float32 weights; the casts are on the tape") {
  const Tensor x = leaf({2, 3}, 1), w = leaf({4, 3}, 2), b = leaf({4}, 3);
  Tensor y;
  {
    const AutocastGuard region(kCPU);
    y = linear(x, w, b);
  }
  CHECK((y.scalar_type() == kBFloat16));
  CHECK(chain(y) == "AddmmBackward0 > TBackward0 > ToCopyBackward0 > AccumulateGrad");
  y.sum().backward();
  for (const Tensor& t : {x, w, b}) CHECK((t.grad().scalar_type() == kFloat));
  check_values(b.grad(), {2, 2, 2, 2});
}

TEST_CASE("a weight is cast once per region, and its gradient comes through one node") {
  const Tensor x = noise({2, 3}, 1, kFloat), w = leaf({3, 3}, 2);
  Tensor first, second, outside;
  {
    const AutocastGuard region(kCPU);
    first = autocast::cached_cast(kBFloat16, w, kCPU);
    second = autocast::cached_cast(kBFloat16, w, kCPU);
    CHECK(first.is_same(second));
    CHECK_FALSE(autocast::cached_cast(kBFloat16, x, kCPU).is_same(autocast::cached_cast(kBFloat16, x, kCPU)));
    { const AutocastGuard inner(kCPU); }  // not the outermost: the cache stays
    CHECK(autocast::cached_cast(kBFloat16, w, kCPU).is_same(first));
    {
      const AutocastGuard other(kCPU, kHalf);
      CHECK((linear(x, w).scalar_type() == kHalf));  // an entry of another dtype is no answer
    }
    const AutocastGuard uncached(kCPU, kBFloat16, true, false);
    CHECK_FALSE(autocast::cached_cast(kBFloat16, w, kCPU).is_same(autocast::cached_cast(kBFloat16, w, kCPU)));
    outside = linear(linear(x, w), w);
  }
  outside.sum().backward();
  CHECK((w.grad().scalar_type() == kFloat));
  const AutocastGuard region(kCPU);
  CHECK_FALSE(autocast::cached_cast(kBFloat16, w, kCPU).is_same(first));  // cleared when the region ended
}

TEST_CASE("a weight that was first used under no_grad, or was written since, is cast again") {
  const Tensor x = noise({2, 3}, 1, kFloat), w = leaf({3, 3}, 2);
  const AutocastGuard region(kCPU);
  {
    const NoGradGuard no_grad;
    linear(x, w);
  }
  {
    const InferenceMode inference;
    linear(x, w);
  }
  linear(x, w).sum().backward();
  REQUIRE(w.grad().defined());
  const Tensor before = autocast::cached_cast(kBFloat16, w, kCPU);
  {
    const NoGradGuard no_grad;
    w.zero_();
  }
  const Tensor after = autocast::cached_cast(kBFloat16, w, kCPU);
  CHECK_FALSE(after.is_same(before));
  check_values(after.to(kFloat).detach(), std::vector<double>(9, 0));
}

TEST_CASE("explain: linear in a region is served at AutocastCPU, above autograd") {
  const AutocastGuard region(kCPU);
  const DispatchExplanation e = explain_dispatch(linear_op(), noise({2, 3}, 1, kFloat).key_set());
  CHECK((e.key == DispatchKey::AutocastCPU));
  CHECK(without_lines(explain(linear_op(), noise({2, 3}, 1, kFloat).key_set())) == R"(aten::linear
    arguments    {CPU, ADInplaceOrView, AutogradCPU, AutocastCPU}
  | TLS include  {BackendSelect, ADInplaceOrView}
  - TLS exclude  {}
  & mask         all but {BackendSelect, Functionalize, ADInplaceOrView, Tracer}, which are fallthroughs here
  = key set      {CPU, AutogradCPU, AutocastCPU}
  key            AutocastCPU, the highest; slot 32
  rules          1. kernel for AutocastCPU            decides
  reason         kernel for this key
  kernel         unboxed, ops/autocast/lower_precision_fp.cc:N
)");
}

namespace {

// Answers for a GPU that is not there: every result is a CUDA tensor without memory, of the dtype that the
// operator promises; `seen` has the dtype of each operator's first argument.
struct NoGpu : DispatchMode {
  void dispatch(const OperatorHandle& op, DispatchKeySet, Stack* stack) override {
    const FunctionSchema& schema = op.schema();
    const std::vector<IValue> args = jit::pop(*stack, schema.arguments().size());
    ScalarType type = args[0].toTensor().scalar_type();
    seen[op.operator_name().name] = type;
    const auto dtype = schema.argumentIndexWithName("dtype");
    if (dtype && !args[*dtype].isNone()) type = args[*dtype].toScalarType();
    if (op.operator_name().name == "aten::_softmax" && args[2].toBool()) type = kFloat;
    stack->emplace_back(make(type));
  }
  static Tensor make(ScalarType type) {
    Tensor t = gb::detail::make_tensor(DispatchKey::CUDA, TypeMeta(type), Device(kCUDA, 0));
    t.unsafeGetTensorImpl()->set_sizes_contiguous({2, 2});
    return t;
  }
  std::map<std::string, ScalarType> seen;
};

}  // namespace

TEST_CASE("dtypes on CUDA: products in float16, exp and sums in float32, scatter_add in the widest") {
  NoGpu gpu;
  const DispatchModeGuard mode(&gpu);
  const Tensor single = NoGpu::make(kFloat), half = NoGpu::make(kHalf), index = NoGpu::make(kLong);
  const AutocastGuard region(kCUDA);
  CHECK((single.mm(single).scalar_type() == kHalf));
  CHECK((addmm(single, half, single).scalar_type() == kHalf));
  CHECK((linear(single, single).scalar_type() == kHalf));
  CHECK((half.exp().scalar_type() == kFloat));
  CHECK((gpu.seen.at("aten::exp") == kFloat));
  CHECK((half.log().scalar_type() == kFloat));
  CHECK((half.sum().scalar_type() == kFloat));
  CHECK((half.sum({0}).scalar_type() == kFloat));
  CHECK((half.sum(kHalf).scalar_type() == kHalf));  // the caller's dtype stays
  CHECK((gpu.seen.at("aten::sum") == kHalf));       // cast inside of the operator, not before it
  CHECK((softmax(half, -1).scalar_type() == kFloat));
  CHECK((softmax(NoGpu::make(kDouble), -1).scalar_type() == kDouble));
  CHECK((scatter_add(half, 0, index, single).scalar_type() == kFloat));
  CHECK((scatter_add(half, 0, index, half).scalar_type() == kHalf));
  CHECK((half.neg().scalar_type() == kHalf));
  {
    const AutocastGuard cpu_only(kCUDA, {}, false), cpu(kCPU);
    CHECK((half.exp().scalar_type() == kHalf));  // the region is another device's
  }
}

namespace {

using Pick = TypedOperatorHandle<Tensor(TensorList, const std::optional<Tensor>&, int64_t)>;
Pick pick_op() { return find_operator<Pick>("autocast_test::pick", ""); }

}  // namespace

TEST_CASE("an operator of one's own: WrapFunction is its kernel at the autocast key") {
  Library library = MAKE_GB_LIBRARY_FRAGMENT(autocast_test);
  library.def("pick(Tensor[] list, Tensor? maybe, int i) -> Tensor");
  library.impl("pick", DispatchKey::CompositeImplicitAutograd,
               [](TensorList list, const std::optional<Tensor>& maybe, int64_t i) {
                 return maybe ? *maybe : list[static_cast<size_t>(i)];
               });
  library.impl("pick", DispatchKey::AutocastCPU,
               GB_FN((autocast::WrapFunction<autocast::CastPolicy::promote, kCPU, &pick_op>::call)));
  const Tensor low = noise({2}, 1, kBFloat16), single = noise({2}, 2, kFloat);
  const AutocastGuard region(kCPU);
  CHECK((pick_op().call(std::vector<Tensor>{low, single}, {}, 0).scalar_type() == kFloat));
  CHECK((pick_op().call(std::vector<Tensor>{low, low}, {}, 0).scalar_type() == kBFloat16));
  CHECK((pick_op().call(std::vector<Tensor>{single}, low, 0).scalar_type() == kFloat));
}
