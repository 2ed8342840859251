#include "library/modes/checking.h"

#include <doctest/doctest.h>

#include "autograd/autograd.h"
#include "core/tensor.h"
#include "library/custom_op.h"
#include "library/fake_contract.h"
#include "library/schema_contract.h"
#include "library/testing.h"
#include "ops/common/empty.h"
#include "ops/factories/factories.h"
#include "ops/linear/linear.h"
#include "ops/softmax/softmax.h"
#include "ops/testing/testing.h"

namespace gb {
namespace {

using tests::contains;
using tests::message_of;
using tests::noise;

TEST_CASE("a program of native operators keeps the rules: factories, views, in place, backward") {
  const CheckEveryCall checked;
  const Tensor x = noise({2, 3}).requires_grad_(), w = noise({4, 3}).requires_grad_(), b = zeros({4}, kDouble);
  const Tensor y = softmax(linear(x, w, b), -1);
  y.t().mul(2).contiguous().view({8}).sum().backward();
  const Tensor z = ones({2, 2});
  z.add_(z).mul_(z);
  CHECK(x.grad().defined());
  CHECK(checked.mode.calls_checked() > 12);
  CHECK(checked.mode.without_fake().empty());
}

TEST_CASE("results are the same with the mode and without") {
  const Tensor x = noise({5, 7});
  const std::vector<double> plain = tests::values(softmax(x.mul(3), -1));
  const CheckEveryCall checked;
  CHECK(tests::values(softmax(x.mul(3), -1)) == plain);
}

TEST_CASE("the call that breaks a rule throws, in the middle of a program") {
  const CustomOpDef eats = custom_op("lynx_cortex::eat(Tensor x) -> Tensor", [](const Tensor& x) {
                             x.data_ptr<double>()[0] = 7;
                             return x.clone();
                           }).register_fake(testing::softmax_fake);
  const CustomOpDef short_fake = custom_op("lynx_cortex::short(Tensor x) -> Tensor", [](const Tensor& x) {
                                   return x.clone();
                                 }).register_fake([](const Tensor&) { return empty_on(kMeta, {1}, kDouble); });
  const auto program = [](const CustomOpDef& op) {
    const CheckEveryCall checked;
    const Tensor x = noise({2, 3}).requires_grad_();
    return op.call<Tensor>(x.mul(2)).sum();
  };
  CHECK_THROWS_AS(program(eats), SchemaCheckError);
  CHECK_THROWS_AS(program(short_fake), FakeCheckError);
  CHECK(active_dispatch_mode() == nullptr);
}

TEST_CASE("an operator without a fake is counted, not refused") {
  const CustomOpDef bare =
      custom_op("lynx_cortex::bare(Tensor x) -> Tensor", [](const Tensor& x) { return x.clone(); });
  const CheckEveryCall checked;
  bare.call<Tensor>(noise({2}));
  CHECK(checked.mode.without_fake() == std::set<std::string>{"lynx_cortex::bare"});
}

TEST_CASE("each rule can be left out") {
  Library library = MAKE_GB_LIBRARY_FRAGMENT(lynx_check);
  library.def("view(Tensor x) -> Tensor").impl("view", DispatchKey::CPU, [](const Tensor& x) { return x.view({-1}); });
  register_fake(library, "lynx_check::view", [](const Tensor&) { return empty_on(kMeta, {1}, kFloat); });
  const OperatorHandle view = Dispatcher::singleton().findSchemaOrThrow("lynx_check::view", "");
  const auto message = [&](CheckingMode::Rules rules) {
    CheckingMode mode(rules);
    const DispatchModeGuard guard(&mode);
    return message_of([&] {
      Stack stack{noise({2})};
      view.callBoxed(stack);
    });
  };
  CHECK(contains(message({.schema = true, .fake = true}), "was aliasing"));
  CHECK(contains(message({.schema = false, .fake = true}),
                 "fake kernel disagrees with the real one: dtype, sizes of output 0"));
  CHECK(message({.schema = false, .fake = false}) == "");
}

TEST_CASE("an outer mode sees nothing of the Meta runs") {
  struct Counting final : DispatchMode {
    void dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) override {
      ++calls;
      op.redispatchBoxed(ks, stack);
    }
    int calls = 0;
  } counting;
  const Tensor x = noise({2, 3});
  const DispatchModeGuard outer(&counting);
  const CheckEveryCall checked;
  x.mul(x);
  CHECK(counting.calls == 1);
  CHECK(checked.mode.calls_checked() == 1);
}

}  // namespace
}  // namespace gb
