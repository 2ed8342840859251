#include "library/opcheck.h"

#include <doctest/doctest.h>

#include "autograd/autograd_meta.h"
#include "core/autograd_state.h"
#include "library/compile_check.h"
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

TEST_CASE("opcheck: lynx_cortex::softmax passes; what is skipped says why") {
  const CustomOpDef op = testing::define_softmax();
  CHECK(to_string(opcheck(op.handle(), {noise({2, 4}).requires_grad_()})) ==
        "test_schema: SUCCESS\n"
        "test_autograd_registration: SUCCESS\n"
        "test_faketensor: SUCCESS\n"
        "test_aot_dispatch_static: SKIPPED: compile/ is not linked in\n");
  CHECK(opcheck(op.handle(), {noise({2, 4})}).at("test_autograd_registration") == "SKIPPED: no argument requires grad");
}

TEST_CASE("opcheck: the tests that were asked for, in their order, and reports instead of errors") {
  const CustomOpDef op = custom_op("lynx_cortex::same(Tensor x) -> Tensor", [](const Tensor& x) {
    x.data_ptr<double>()[0] += 1;
    return x.clone();
  });
  const OpcheckReport all = opcheck(op.handle(), {noise({2})}, {.raise_exception = false});
  REQUIRE(all.size() == 4);
  CHECK(contains(all.at("test_schema"), "opcheck(lynx_cortex::same, ...): test_schema failed with"));
  CHECK(contains(all.at("test_faketensor"), "There was no fake impl registered"));
  const OpcheckReport one = opcheck(op.handle(), {noise({2})}, {.test_utils = {"test_autograd_registration"}});
  CHECK(one == OpcheckReport{{"test_autograd_registration", "SKIPPED: no argument requires grad"}});
  CHECK_THROWS_AS(opcheck(op.handle(), {noise({2})}, {.test_utils = {"test_aot_dispatch_dynamic"}}), ValueError);
}

TEST_CASE("opcheck: native operators pass, in place, views, lists, factories") {
  CHECK(opcheck(find("aten::add", "Tensor"), {noise({2, 3}).requires_grad_(), noise({3}), 2}).size() == 4);
  const Tensor x = noise({2, 3});
  const std::vector<double> before = tests::values(x);
  CHECK(opcheck(find("aten::mul_", "Tensor"), {x, noise({2, 3})}).size() == 4);
  CHECK(tests::values(x) == before);  // it works on copies
  CHECK(opcheck(find("aten::t"), {noise({2, 3}).requires_grad_()}).size() == 4);
  CHECK(opcheck(find("aten::t"), {noise({2, 4}).as_strided({2, 2}, {1, 2}, 1)}).size() == 4);
  const OpcheckReport factory = opcheck(find("aten::empty", "memory_format"), {std::vector<int64_t>{2, 3}});
  CHECK(factory.at("test_faketensor") == "SUCCESS");
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
  CHECK(contains(text, "element 1 was 1 and is 7"));
  CHECK(contains(text, "contract: lynx_cortex::eat(Tensor x) -> Tensor"));
  CHECK(tests::values(x) == std::vector<double>{0, 1, 2});
}

TEST_CASE("opcheck: a declared mutation is fine") {
  const CustomOpDef op = custom_op("lynx_cortex::fill7(Tensor(a!) x) -> ()", [](const Tensor& x) { x.fill_(7); });
  CHECK(opcheck(op.handle(), {tests::ramp({3})}).size() == 4);
}

TEST_CASE("opcheck: undeclared aliasing") {
  Library library = MAKE_GB_LIBRARY_FRAGMENT(lynx_check);
  library.def("view(Tensor x) -> Tensor").impl("view", DispatchKey::CPU, [](const Tensor& x) { return x.view({-1}); });
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
    return empty_cpu(x.sizes(), kDouble).requires_grad_();
  });
  library.def("recorded(Tensor x) -> Tensor").impl("recorded", DispatchKey::CPU, [](const Tensor& x) {
    return x.mul(2);
  });
  const auto message = [](const char* name) {
    return opcheck(find(name), {tests::ramp({2}).requires_grad_()}, {.raise_exception = false})
        .at("test_autograd_registration");
  };
  const std::string text = message("lynx_check::below");
  CHECK(contains(text, "incorrectly registered an autograd kernel to a non-Autograd DispatchKey"));
  CHECK(contains(text, "output tensor 0 requires grad; it is a leaf that was set to require grad"));
  CHECK(contains(message("lynx_check::recorded"), "its grad_fn is MulBackward1"));
  // A kernel at the autograd key of another backend is none for this one.
  library.impl("below", DispatchKey::AutogradCUDA, [](const Tensor& x) { return x.clone(); });
  CHECK(message("lynx_check::below") != "SUCCESS");
  library.impl("below", DispatchKey::AutogradCPU, [](const Tensor& x) { return x.clone(); });
  CHECK(message("lynx_check::below") == "SUCCESS");
}

TEST_CASE("opcheck: an argument that comes back written is not a new gradient") {
  Library library = MAKE_GB_LIBRARY_FRAGMENT(lynx_check);
  library.def("touch_(Tensor(a!) x) -> Tensor(a!)").impl("touch_", DispatchKey::CPU, [](const Tensor& x) { return x; });
  CHECK(opcheck(find("lynx_check::touch_"), {tests::ramp({2}).requires_grad_()},
                {.test_utils = {"test_autograd_registration"}})
            .at("test_autograd_registration") == "SUCCESS");
}

TEST_CASE("opcheck: the compile test with a compiler that is wrong") {
  struct Restore {
    ~Restore() { set_opcheck_compiler(nullptr); }
  } restore;
  const CustomOpDef op = testing::define_softmax();
  const auto outcome = [&](OpcheckCompiler compiler, const OpcheckOptions& more = {}) {
    set_opcheck_compiler(compiler);
    OpcheckOptions options = more;
    options.raise_exception = false;
    return opcheck(op.handle(), {noise({2, 4}).requires_grad_()}, options).at("test_aot_dispatch_static");
  };
  CHECK(outcome([](CompiledCallable f) { return f; }) == "SUCCESS");
  const OpcheckCompiler scaled = [](CompiledCallable f) -> CompiledCallable {
    return [f](const std::vector<Tensor>& in) { return std::vector<Tensor>{f(in)[0].mul(1.001)}; };
  };
  CHECK(contains(outcome(scaled), "compiled code disagrees with eager: values of output 0"));
  CHECK(contains(outcome(scaled), "8 of 8 elements differ by more than atol 1e-07 + rtol 1e-07 * |eager|"));
  CHECK(outcome(scaled, {.atol = 0, .rtol = 0.01}) == "SUCCESS");
  const OpcheckCompiler detached = [](CompiledCallable f) -> CompiledCallable {
    return [f](const std::vector<Tensor>& in) { return std::vector<Tensor>{f(in)[0].detach()}; };
  };
  CHECK(contains(outcome(detached), "requires_grad of output 0"));
  const OpcheckCompiler wrong_backward = [](CompiledCallable f) -> CompiledCallable {
    return [f](const std::vector<Tensor>& in) {
      const Tensor y = f(in)[0];
      return std::vector<Tensor>{y.add(in[0].sub(in[0].detach()))};
    };
  };
  CHECK(contains(outcome(wrong_backward), "values of gradient 0"));
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
                 "opcheck(lynx_cortex::twice, ...): test_faketensor failed with lynx_cortex::twice: "
                 "fake kernel disagrees with the real one: sizes, strides of output 0"));
  CHECK(contains(text, "sizes: fake [3, 2], real [2, 3]; strides: fake [2, 1], real [3, 1]"));
  CHECK(contains(message([](const Tensor&) { return meta({2, 3}, kFloat); }), "dtype of output 0"));
  CHECK(contains(message([](const Tensor&) { return meta({2, 3}, kFloat); }), "dtype: fake Float, real Double"));
  CHECK(contains(message([](const Tensor&) {
                   return empty_strided_on(Device(kMeta), {2, 3}, {1, 2}, kDouble);
                 }),
                 "strides of output 0"));
  CHECK(contains(message([](const Tensor&) { return noise({2, 3}); }), "device of output 0"));
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
