// The registry: tags, listeners, names without a def, typed handles, invariants, the ambiguity of AutogradOther.
#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

#include "dispatcher/testing.h"

using namespace gb;
using namespace gb::testing;
using K = DispatchKey;

namespace {

Tensor plus_one(const Tensor& x) { return tensor(K::CPU, value(x) + 1); }
Tensor plus_two(const Tensor& x) { return tensor(K::CPU, value(x) + 2); }
void boxed_plus_one(const OperatorHandle&, Stack* stack) {
  stack->back() = tensor(K::CPU, value(stack->back().toTensor()) + 1);
}

struct Listener : OpRegistrationListener {
  explicit Listener(std::vector<std::string>* log, std::string refuse = "") : log(log), refuse(std::move(refuse)) {}
  void onOperatorRegistered(const OperatorHandle& op) override {
    const std::string name = toString(op.operator_name());
    if (name == refuse) throw std::runtime_error("not this one");
    if (name.starts_with("registry::")) log->push_back("+" + name);
  }
  void onOperatorDeregistered(const OperatorHandle& op) override {
    const std::string name = toString(op.operator_name());
    if (name.starts_with("registry::")) log->push_back("-" + name);
  }
  std::vector<std::string>* log;
  std::string refuse;
};

}  // namespace

TEST_CASE("registry: tags") {
  Library library = MAKE_GB_LIBRARY(registry);
  library.def("f(Tensor x) -> Tensor", {Tag::core, Tag::pointwise});
  library.def("g(Tensor x) -> Tensor", &plus_one, {Tag::pt2_compliant_tag});
  library.def("h(Tensor x) -> Tensor");
  CHECK((find("registry::f").getTags().vec() == std::vector<Tag>{Tag::core, Tag::pointwise}));
  CHECK(find("registry::f").hasTag(Tag::pointwise));
  CHECK_FALSE(find("registry::f").hasTag(Tag::view_copy));
  CHECK(find("registry::g").hasTag(Tag::pt2_compliant_tag));
  CHECK(find("registry::h").getTags().empty());
  CHECK(std::string(toString(Tag::nondeterministic_seeded)) == "nondeterministic_seeded");
}

TEST_CASE("registry: a listener hears of what is there, of what comes and of what goes, but not of kernels without a def") {
  std::vector<std::string> log;
  Library first = MAKE_GB_LIBRARY(registry);
  first.def("f(Tensor x) -> Tensor");
  first.impl("dangling", K::CPU, &plus_one);
  {
    const RegistrationHandleRAII listening =
        Dispatcher::singleton().addRegistrationListener(std::make_unique<Listener>(&log));
    CHECK((log == std::vector<std::string>{"+registry::f"}));
    Library second = MAKE_GB_LIBRARY_FRAGMENT(registry);
    second.def("dangling(Tensor x) -> Tensor");
    second.impl("f", K::CPU, &plus_one);  // a kernel is no news
    second.reset();
    CHECK((log == std::vector<std::string>{"+registry::f", "+registry::dangling", "-registry::dangling"}));
  }
  first.reset();
  CHECK(log.size() == 3);  // it hears no more
}

TEST_CASE("registry: a listener that throws refuses the def, and the others are told that it is off") {
  std::vector<std::string> log;
  const auto one = Dispatcher::singleton().addRegistrationListener(std::make_unique<Listener>(&log));
  const auto two = Dispatcher::singleton().addRegistrationListener(std::make_unique<Listener>(&log, "registry::no"));
  Library library = MAKE_GB_LIBRARY(registry);
  CHECK_THROWS_AS(library.def("no(Tensor x) -> Tensor"), std::runtime_error);
  CHECK_FALSE(exists("registry::no"));
  CHECK((log == std::vector<std::string>{"+registry::no", "-registry::no"}));
}

TEST_CASE("registry: a name, kernels without a def, and who has a kernel for a key") {
  Dispatcher& dispatcher = Dispatcher::singleton();
  {
    const auto name = dispatcher.registerName({"registry::named", "a"});
    CHECK(dispatcher.findOp({"registry::named", "a"}).has_value());
    CHECK_FALSE(dispatcher.findSchema({"registry::named", "a"}).has_value());
  }
  CHECK_FALSE(dispatcher.findOp({"registry::named", "a"}).has_value());
  Library library = MAKE_GB_LIBRARY(registry);
  library.def("f(Tensor x) -> Tensor").impl("f", K::QuantizedCUDA, &plus_one).impl("g", K::CPU, &plus_one);
  const auto names = dispatcher.getRegistrationsForDispatchKey(K::QuantizedCUDA);
  REQUIRE(names.size() == 1);
  CHECK(toString(names[0]) == "registry::f");
  const auto all = dispatcher.getRegistrationsForDispatchKey(std::nullopt);
  CHECK(std::count(all.begin(), all.end(), OperatorName("registry::g", "")) == 1);
}

TEST_CASE("registry: a kernel of another type is refused while typed handles of the first are about") {
  Library library = MAKE_GB_LIBRARY(registry);
  library.def("f(Tensor x) -> Tensor");
  auto kernels = MAKE_GB_LIBRARY_FRAGMENT(registry);
  kernels.impl("f", K::CompositeImplicitAutograd, &plus_one);
  const auto f = find("registry::f").typed<Tensor(const Tensor&)>();
  kernels.reset();  // no kernel is left, but f is
  CHECK(starts_with(error_of([&] { kernels.impl("f", K::CPU, [](Tensor x) { return x; }); }),
                    "registry::f: mismatch in kernel C++ signatures"));
  kernels.impl("f", K::CompositeImplicitAutograd, &plus_two);
  CHECK(value(f.call(tensor(K::CPU, 1))) == 3);
}

TEST_CASE("registry: typed() of an operator with boxed kernels only compares with the schema") {
  Library library = MAKE_GB_LIBRARY(registry);
  library.def("f(Tensor x) -> Tensor");
  library.impl("f", K::CompositeImplicitAutograd, CppFunction::makeFromBoxedFunction<&boxed_plus_one>());
  const std::string message = error_of([] { find("registry::f").typed<Tensor(int64_t)>(); });
  CHECK(starts_with(message, "registry::f: tried to access the operator with a wrong signature"));
  CHECK(contains(message, "asked for:  gb::Tensor (long)"));
  CHECK(value(find("registry::f").typed<Tensor(const Tensor&)>().call(tensor(K::CPU, 4))) == 5);
}

TEST_CASE("registry: AutogradOther is ambiguous where a composite kernel and one of its backends could both be meant") {
  Library library = MAKE_GB_LIBRARY(registry);
  library.def("f(Tensor x) -> Tensor").impl("f", K::CompositeImplicitAutograd, &plus_one);
  const OperatorHandle f = find("registry::f");
  CHECK(value(f.typed<Tensor(const Tensor&)>().call(tensor(K::CPU, 1))) == 2);
  CHECK((f.entry().reason(K::AutogradOther) == impl::SlotReason::kCompositeImplicit));
  {
    Library backend = MAKE_GB_LIBRARY_IMPL(registry, FPGA);
    backend.impl("f", &plus_two);
    CHECK((f.entry().reason(K::AutogradOther) == impl::SlotReason::kAmbiguousAutogradOther));
    CHECK((f.entry().reason(K::AutogradCPU) == impl::SlotReason::kCompositeImplicit));
    const Tensor fpga = tensor(K::FPGA);
    CHECK(starts_with(error_of([&] { f.typed<Tensor(const Tensor&)>().call(fpga); }),
                      "registry::f: ambiguous AutogradOther kernel\n  cause:   kernels exist for CompositeImplicitAutograd and for "
                      "a backend whose autograd key is AutogradOther: FPGA (dispatcher/registry_test.cc:"));
    Library autograd = MAKE_GB_LIBRARY_IMPL(registry, AutogradOther);
    autograd.impl("f", CppFunction::makeFallthrough());
    CHECK((f.entry().computeDispatchKeySet(fpga.key_set()).highestPriorityTypeId() == K::FPGA));
    f.checkInvariants();
  }
  CHECK((f.entry().reason(K::AutogradOther) == impl::SlotReason::kCompositeImplicit));
  Dispatcher::singleton().checkInvariants();
}

TEST_CASE("registry: the keys of other people's backends are served like any other") {
  Library library = MAKE_GB_LIBRARY(registry);
  library.def("f(Tensor x) -> Tensor").impl("f", K::XLA, &plus_one).impl("f", K::AutogradXLA, CppFunction::makeFallthrough());
  library.impl("f", kLazy, &plus_two);
  const auto f = find("registry::f").typed<Tensor(const Tensor&)>();
  CHECK(f.isKernelFallthroughKernel(K::AutogradXLA));
  CHECK_FALSE(f.isKernelFallthroughKernel(K::XLA));
  CHECK((f.entry().computeDispatchKeySet(tensor(K::XLA).key_set()).highestPriorityTypeId() == K::XLA));
  CHECK((f.entry().computeDispatchKeySet(tensor(K::Lazy).key_set()).highestPriorityTypeId() == K::AutogradLazy));
  CHECK((DispatchKeySet({K::CPU, K::TESTING_ONLY_GenericMode}).highestPriorityTypeId() == K::TESTING_ONLY_GenericMode));
  CHECK((DispatchKeySet({K::CPU, K::AutogradCPU, K::Tracer}).highestPriorityTypeId() == K::Tracer));
}

TEST_CASE("registry: a boxed kernel, however it was made") {
  struct PlusBoxed {
    float by;
    void operator()(const OperatorHandle&, DispatchKeySet, Stack* stack) const {
      stack->back() = tensor(K::CPU, value(stack->back().toTensor()) + by);
    }
  };
  struct PlusUnboxed final : OperatorKernel {
    explicit PlusUnboxed(float by) : by(by) {}
    Tensor operator()(const Tensor& x) { return tensor(K::CPU, value(x) + by); }
    float by;
  };
  CHECK_FALSE(BoxedKernel().isValid());
  CHECK(BoxedKernel::makeFallthrough().isFallthrough());
  Library library = MAKE_GB_LIBRARY(registry);
  library.def("f(Tensor x) -> Tensor");
  const OperatorHandle f = find("registry::f");
  const auto called = [&](CppFunction kernel) {
    Library one = MAKE_GB_LIBRARY_IMPL(registry, CompositeImplicitAutograd);
    one.impl("f", std::move(kernel));
    return value(f.typed<Tensor(const Tensor&)>().call(tensor(K::CPU, 1)));
  };
  CHECK(called(CppFunction::makeFromBoxedKernel(BoxedKernel::makeFromFunction<&boxed_plus_one>())) == 2);
  CHECK(called(CppFunction::makeFromBoxedKernel(BoxedKernel::makeFromFunctor(std::make_unique<PlusBoxed>(5.f)))) == 6);
  const auto functor = KernelFunction::makeFromUnboxedFunctor<false, PlusUnboxed>(std::make_unique<PlusUnboxed>(7.f));
  CHECK(functor.isValidUnboxed());
  CHECK(value(functor.call<Tensor, const Tensor&>(f, DispatchKeySet(K::CPU), tensor(K::CPU, 1))) == 8);
  Stack stack{tensor(K::CPU, 2)};
  functor.callBoxed(f, DispatchKeySet(K::CPU), &stack);
  CHECK(value(stack.back().toTensor()) == 9);
}
