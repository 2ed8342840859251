#include "library/opcheck.h"

#include <doctest/doctest.h>

#include "autograd/autograd_meta.h"
#include "core/autograd_state.h"
#include "library/schema_check_mode.h"
#include "library/testing.h"
#include "ops/common/empty.h"
#include "ops/testing/testing.h"

using namespace gb;
using gb::tests::contains;
using gb::tests::message_of;
using gb::tests::noise;

namespace {

OperatorHandle find(const char* name, const char* overload = "") {
  return Dispatcher::singleton().findSchemaOrThrow(name, overload);
}
Tensor meta(IntArrayRef sizes, ScalarType dtype = kDouble) { return empty_on(Device(kMeta), sizes, dtype); }

}  // namespace

TEST_CASE("opcheck: lynx_cortex::softmax passes") {
  const CustomOpDef op = testing::define_softmax();
  const auto results = opcheck(op.handle(), {noise({2, 4}).requires_grad_()});
  REQUIRE(results.size() == 3);
  for (const OpcheckResult& r : results) CHECK_MESSAGE(r.outcome == OpcheckResult::kPassed, to_string(r));
  CHECK(to_string(opcheck(op.handle(), {noise({2, 4})})[1]) ==
        "test_autograd_registration: skipped (no argument requires grad)");
}

TEST_CASE("opcheck: native operators pass, in place and views too") {
  CHECK(opcheck(find("aten::add", "Tensor"), {noise({2, 3}).requires_grad_(), noise({3}), 2}).size() == 3);
  const Tensor x = noise({2, 3});
  const std::vector<double> before = tests::values(x);
  CHECK(opcheck(find("aten::mul_", "Tensor"), {x, noise({2, 3})}).size() == 3);
  CHECK(tests::values(x) == before);  // it works on copies
  CHECK(opcheck(find("aten::t"), {noise({2, 3}).requires_grad_()}).size() == 3);
}

TEST_CASE("opcheck: undeclared mutation") {
  const CustomOpDef op = custom_op("lynx_cortex::eat(Tensor x) -> Tensor", [](const Tensor& x) {
    x.data_ptr<double>()[1] = 7;
    return x.clone();
  });
  const Tensor x = tests::ramp({3});
  const std::string text = message_of([&] { opcheck(op.handle(), {x}); });
  CHECK(contains(text,
                 "opcheck(lynx_cortex::eat, ...): test_schema failed with lynx_cortex::eat: "
                 "Argument x is not defined as mutable but was mutated"));
  CHECK(contains(text, "element 1 of its storage changed"));
  CHECK(contains(text, "schema: lynx_cortex::eat(Tensor x) -> Tensor"));
  CHECK(tests::values(x) == std::vector<double>{0, 1, 2});
}

TEST_CASE("opcheck: a declared mutation is fine") {
  const CustomOpDef op =
      custom_op("lynx_cortex::fill7(Tensor(a!) x) -> ()", [](const Tensor& x) { x.fill_(7); });
  CHECK(opcheck(op.handle(), {tests::ramp({3})}).size() == 3);
}

TEST_CASE("opcheck: undeclared aliasing") {
  Library library = MAKE_GB_LIBRARY_FRAGMENT(lynx_check);
  library.def("view(Tensor x) -> Tensor").impl("view", DispatchKey::CPU, [](const Tensor& x) {
    return x.view({-1});
  });
  CHECK(contains(message_of([] {
                   opcheck(find("lynx_check::view"), {tests::ramp({2, 2})});
                 }),
                 "Argument x is not defined to alias output but was aliasing"));
  library.def("two(Tensor x) -> (Tensor, Tensor)").impl("two", DispatchKey::CPU, [](const Tensor& x) {
    const Tensor y = x.clone();
    return std::make_tuple(y, y.view({-1}));
  });
  CHECK(contains(message_of([] {
                   opcheck(find("lynx_check::two"), {tests::ramp({2, 2})});
                 }),
                 "Outputs 0 and 1 alias unexpectedly"));
}

TEST_CASE("opcheck: a gradient registered below autograd") {
  Library library = MAKE_GB_LIBRARY_FRAGMENT(lynx_check);
  library.def("below(Tensor x) -> Tensor").impl("below", DispatchKey::CPU, [](const Tensor& x) {
    return x.clone().requires_grad_();
  });
  const auto results = opcheck_report(find("lynx_check::below"), {tests::ramp({2}).requires_grad_()});
  CHECK((results[1].outcome == OpcheckResult::kFailed));
  CHECK(contains(results[1].message,
                 "incorrectly registered an autograd kernel to a non-Autograd DispatchKey"));
}

TEST_CASE("opcheck: the fake kernel disagrees, in each way") {
  const auto message = [](auto fake) {
    const CustomOpDef op = custom_op("lynx_cortex::twice(Tensor x) -> Tensor", [](const Tensor& x) {
                             return x.mul(2);
                           }).register_fake(fake);
    return message_of([&] { opcheck(op.handle(), {noise({2, 3})}); });
  };
  CHECK(message([](const Tensor&) { return meta({2, 3}); }) == "");
  const std::string text = message([](const Tensor&) { return meta({3, 2}); });
  CHECK(contains(text,
                 "opcheck(lynx_cortex::twice, ...): test_faketensor failed with "
                 "fake kernel disagrees with the real one: sizes of output 0"));
  CHECK(contains(text, "fake [3, 2], real [2, 3]"));
  CHECK(contains(message([](const Tensor&) { return meta({2, 3}, kFloat); }), "dtype of output 0"));
  CHECK(contains(message([](const Tensor&) { return meta({2, 3}, kFloat); }), "fake Float, real Double"));
  CHECK(contains(message([](const Tensor&) {
                   return empty_strided_on(Device(kMeta), {2, 3}, {1, 2}, kDouble);
                 }),
                 "strides of output 0"));
  CHECK(contains(message([](const Tensor&) {
                   return noise({2, 3});
                 }),
                 "device (a fake tensor must be on meta) of output 0"));
}

TEST_CASE("opcheck: a missing fake, and the wrong number of outputs in a list") {
  const CustomOpDef bare =
      custom_op("lynx_cortex::bare(Tensor x) -> Tensor", [](const Tensor& x) { return x.clone(); });
  CHECK(contains(message_of([&] { opcheck(bare.handle(), {noise({2})}); }),
                 "test_faketensor failed with lynx_cortex::bare: There was no fake impl registered"));
  const CustomOpDef list = custom_op("lynx_cortex::list(Tensor x) -> Tensor[]", [](const Tensor& x) {
                             return std::vector<Tensor>{x.clone(), x.clone()};
                           }).register_fake([](const Tensor&) { return std::vector<Tensor>{meta({2})}; });
  CHECK(contains(message_of([&] { opcheck(list.handle(), {noise({2})}); }), "number of tensors in output 0"));
}

TEST_CASE("opcheck: wrong arguments are refused before anything runs") {
  const CustomOpDef op = testing::define_softmax();
  CHECK_THROWS_AS(opcheck(op.handle(), {3}), Error);
  CHECK_THROWS_AS(opcheck(op.handle(), std::vector<IValue>{}), Error);
}

TEST_CASE("SchemaCheckMode: sees every operator of a program") {
  SchemaCheckMode mode;
  const Tensor x = noise({2, 3}).requires_grad_();
  {
    const DispatchModeGuard guard(&mode);
    x.mul(x).sum().backward();
  }
  CHECK(mode.calls_checked() >= 4);
}
