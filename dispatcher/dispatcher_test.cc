// Lookups, calls and their errors.
#include "dispatcher/dispatcher.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "dispatcher/testing.h"

using namespace gb;
using namespace gb::testing;

namespace {

Tensor plus_one(const Tensor& x) { return tensor(DispatchKey::CPU, value(x) + 1); }
Tensor at_autograd(DispatchKeySet ks, const Tensor& x) {
  static const auto op = find("call::f").typed<Tensor(const Tensor&)>();
  const Tensor below = op.redispatch(ks & after_autograd_keyset, x);
  return tensor(DispatchKey::CPU, value(below) + 10);
}
int64_t count(TensorList list, int64_t n) { return static_cast<int64_t>(list.size()) + n; }

}  // namespace

TEST_CASE("dispatcher: a call goes through the autograd kernel down to the backend") {
  Library library = MAKE_GB_LIBRARY(call);
  library.def("f(Tensor x) -> Tensor").impl("f", DispatchKey::CPU, &plus_one).impl("f", DispatchKey::Autograd, &at_autograd);
  const auto f = find("call::f").typed<Tensor(const Tensor&)>();
  CHECK(value(f.call(tensor(DispatchKey::CPU, 1))) == 12);
  {
    const AutoDispatchBelowAutograd guard;
    CHECK(value(f.call(tensor(DispatchKey::CPU, 1))) == 2);
  }
  CHECK(value(Dispatcher::singleton().call<Tensor, const Tensor&>(f, tensor(DispatchKey::CPU, 2))) == 13);
  Stack stack{tensor(DispatchKey::CPU, 5)};
  f.callBoxed(stack);
  CHECK(stack.size() == 1);
  CHECK(value(stack[0].toTensor()) == 16);
  Stack direct{tensor(DispatchKey::CPU, 5)};
  f.callBoxedForDispatchKey(DispatchKey::CPU, direct);
  CHECK(value(direct[0].toTensor()) == 6);
  f.callBoxedForDispatchKey(DispatchKey::Autograd, direct);  // the alias's kernel
  CHECK(value(direct[0].toTensor()) == 17);
  // Not the table: AutogradCPU is served by the alias's kernel, but has none itself.
  CHECK(starts_with(error_of([&] { f.callBoxedForDispatchKey(DispatchKey::AutogradCPU, direct); }),
                    "callBoxedForDispatchKey: call::f has no kernel for the dispatch key AutogradCPU itself\n"
                    "  cause:   kernels exist for CPU (dispatcher/dispatcher_test.cc:"));
}

TEST_CASE("dispatcher: unknown operator, unknown overload, kernel without def") {
  CHECK(error_of([] { find("aten::not_there"); }) ==
        "Could not find schema for aten::not_there\n"
        "  cause:   no operator of this name is registered in this program\n"
        "  repair:  check the spelling (`bazel run //tools:gb -- ops` lists all), and that the library which registers it is "
        "linked whole (alwayslink)\n"
        "  chapter: docs/en/theory/01-dispatcher-and-aten.md#dispatch");
  Library library = MAKE_GB_LIBRARY_FRAGMENT(lookup);
  library.def("f.a(Tensor x) -> Tensor").def("f.b(Tensor x) -> Tensor");
  CHECK(contains(error_of([] { find("lookup::f"); }), "cause:   this operator has other overloads: lookup::f.a, lookup::f.b"));
  library.impl("g", DispatchKey::CPU, &plus_one);
  CHECK(contains(error_of([] { find("lookup::g"); }),
                 "cause:   kernels are registered, but no def: CPU (dispatcher/dispatcher_test.cc:"));
  CHECK_FALSE(Dispatcher::singleton().findSchema({"lookup::g", ""}).has_value());
  const auto dangling = Dispatcher::singleton().findDanglingImpls();
  REQUIRE(dangling.size() == 1);
  CHECK(toString(dangling[0].operator_name()) == "lookup::g");
  CHECK(starts_with(error_of([&] { dangling[0].schema(); }), "lookup::g: no schema was registered for this operator"));
  const auto names = Dispatcher::singleton().getAllOpNames();
  CHECK(std::is_sorted(names.begin(), names.end(),
                       [](const auto& a, const auto& b) { return toString(a) < toString(b); }));
}

TEST_CASE("dispatcher: no kernel for the key names the argument that brought it") {
  Library library = MAKE_GB_LIBRARY(nokernel);
  library.def("f(Tensor left, Tensor right) -> Tensor");
  library.impl("f", DispatchKey::CPU, [](const Tensor& a, const Tensor&) { return a; }, "cpu.cc", 9);
  library.impl("f", DispatchKey::Autograd, CppFunction::makeFallthrough(), "autograd.cc", 3);
  const auto f = find("nokernel::f").typed<Tensor(const Tensor&, const Tensor&)>();
  const std::string message = error_of([&] { f.call(tensor(), tensor(DispatchKey::Meta)); });
  CHECK(message ==
        "Could not run nokernel::f : no kernel for the dispatch key Meta\n"
        "  cause:   the key comes from right: {Meta, ADInplaceOrView, AutogradMeta, AutocastMeta}; the other tensors have "
        "left: {CPU, ADInplaceOrView, AutogradCPU, AutocastCPU}\n"
        "           slots that hold a kernel: CPU (cpu.cc:9)\n"
        "  repair:  move the tensors to a device that has a kernel, or add one:\n"
        "           GB_LIBRARY_IMPL(nokernel, Meta, m) { m.impl(\"f\", &your_kernel); }\n"
        "  chapter: docs/en/theory/01-dispatcher-and-aten.md#dispatch");
  CHECK_THROWS_AS(f.call(tensor(), tensor(DispatchKey::Meta)), NotImplementedError);
  CHECK(starts_with(error_of([&] { f.call(Tensor(), Tensor()); }),
                    "nokernel::f: there were no tensor arguments, and the operator has no kernel for that"));
  library.impl("f", DispatchKey::Meta, CppFunction::makeNamedNotSupported());
  CHECK(starts_with(error_of([&] { f.call(tensor(), tensor(DispatchKey::Meta)); }),
                    "nokernel::f: not supported for the key Meta"));
}

TEST_CASE("dispatcher: a handle outlives its operator") {
  std::optional<OperatorHandle> handle;
  std::optional<TypedOperatorHandle<Tensor(const Tensor&)>> typed;
  {
    Library library = MAKE_GB_LIBRARY(gone);
    library.def("f(Tensor x) -> Tensor").impl("f", DispatchKey::CPU, &plus_one);
    library.impl("f", DispatchKey::Autograd, CppFunction::makeFallthrough());
    handle = find("gone::f");
    typed = handle->typed<Tensor(const Tensor&)>();
    CHECK(value(typed->call(tensor())) == 1);
  }
  CHECK_FALSE(exists("gone::f"));
  const std::string removed = "gone::f: this operator was removed\n  cause:   the Library that defined it is gone";
  CHECK(starts_with(error_of([&] { typed->call(tensor()); }), removed));
  CHECK(starts_with(error_of([&] { typed->redispatch(DispatchKeySet(DispatchKey::CPU), tensor()); }), removed));
  Stack stack{tensor()};
  CHECK(starts_with(error_of([&] { handle->callBoxed(&stack); }), removed));
  CHECK(starts_with(error_of([&] { handle->redispatchBoxed(DispatchKeySet(DispatchKey::CPU), &stack); }), removed));
  CHECK(starts_with(error_of([&] { handle->schema(); }), removed));
  CHECK(stack.size() == 1);
  Library again = MAKE_GB_LIBRARY(gone);  // the name is free
  again.def("f(Tensor x) -> Tensor").impl("f", DispatchKey::CompositeImplicitAutograd, &plus_one);
  CHECK(value(find("gone::f").typed<Tensor(const Tensor&)>().call(tensor())) == 1);
  CHECK(starts_with(error_of([&] { typed->call(tensor()); }), removed));  // the old handle stays with the old one
}

TEST_CASE("dispatcher: typed() compares the C++ signature") {
  Library library = MAKE_GB_LIBRARY(typed);
  library.def("count(Tensor[] list, int n) -> int").impl("count", DispatchKey::CompositeImplicitAutograd, &count);
  CHECK(find("typed::count").typed<int64_t(TensorList, int64_t)>().call({}, 2) == 2);
  const std::string message = error_of([] { find("typed::count").typed<int64_t(TensorList, int32_t)>(); });
  CHECK(starts_with(message, "typed::count: tried to access the operator with a wrong signature\n  cause:   asked for:  long (gb::ArrayRef<gb::Tensor>, int)"));
  CHECK(contains(message, "registered: long (gb::ArrayRef<gb::Tensor>, long)"));
  CHECK(contains(message, "schema:     typed::count(Tensor[] list, int n) -> int"));
}

TEST_CASE("dispatcher: a boxed call wants one value per argument") {
  Library library = MAKE_GB_LIBRARY(few);
  library.def("f(Tensor x, Tensor y) -> Tensor");
  Stack stack{tensor()};
  CHECK(error_of([&] { find("few::f").callBoxed(&stack); }).find(
            "few::f: the stack holds too few arguments for a boxed call\n  cause:   1 on the stack, the schema has 2") == 0);
  CHECK(stack.size() == 1);
}

TEST_CASE("dispatcher: a fallthrough is never run; redispatching to one is an error that says so") {
  Library library = MAKE_GB_LIBRARY(fall);
  library.def("f(Tensor x) -> Tensor").impl("f", DispatchKey::CPU, &plus_one);
  library.impl("f", DispatchKey::Autograd, CppFunction::makeFallthrough());
  const auto f = find("fall::f").typed<Tensor(const Tensor&)>();
  CHECK(value(f.call(tensor())) == 1);
  CHECK(starts_with(error_of([&] { f.redispatch(DispatchKeySet({DispatchKey::CPU, DispatchKey::AutogradCPU}), tensor()); }),
                    "fall::f: a fallthrough kernel was called\n  cause:   the key set {CPU, AutogradCPU} was given"));
  // The slot of calls without tensors has no mask.
  library.impl("f", DispatchKey::CompositeExplicitAutograd, CppFunction::makeFallthrough());
  CHECK(starts_with(error_of([&] { f.call(Tensor()); }), "fall::f: a fallthrough kernel was called"));
  Stack stack{Tensor()};
  CHECK(starts_with(error_of([&] { f.callBoxed(stack); }), "fall::f: a fallthrough kernel was called"));
}

TEST_CASE("dispatcher: calls on one thread while another registers") {
  Library library = MAKE_GB_LIBRARY(threads);
  library.def("f(Tensor x) -> Tensor").impl("f", DispatchKey::CompositeImplicitAutograd, &plus_one);
  const auto f = find("threads::f").typed<Tensor(const Tensor&)>();
  std::atomic<bool> stop = false;
  std::atomic<int> wrong = 0, calls = 0;
  std::thread caller([&] {
    do {
      wrong += value(f.call(tensor())) != 1;
      ++calls;
    } while (!stop);
  });
  const Warnings quiet;
  for (int i = 0; i < 200; ++i) {  // every state on the way serves a CPU call
    Library more = MAKE_GB_LIBRARY_FRAGMENT(threads);
    more.impl("f", DispatchKey::Meta, &plus_one).impl("f", DispatchKey::AutogradCPU, &plus_one);
    more.impl("f", DispatchKey::CompositeImplicitAutograd, &plus_one);  // over the first one
    more.def("g(Tensor x) -> Tensor");
  }
  stop = true;
  caller.join();
  CHECK(calls > 0);
  CHECK(wrong == 0);
}

TEST_CASE("dispatcher: the guards take off what they added, and leave what was switched meanwhile") {
  using namespace gb::impl;
  const ForceDispatchKeyGuard restore(tls_local_dispatch_key_set());
  const DispatchKeySet included = tls_local_dispatch_key_set().included_;
  {
    const IncludeDispatchKeyGuard outer(DispatchKey::AutogradCPU);
    const IncludeDispatchKeyGuard inner(DispatchKeySet({DispatchKey::AutogradCPU, DispatchKey::Python}));
    CHECK(tls_is_dispatch_keyset_included(DispatchKeySet({DispatchKey::AutogradCPU, DispatchKey::Python})));
  }
  CHECK((tls_local_dispatch_key_set().included_ == included));  // the CPU's backend bit is gone too
  {
    const IncludeDispatchKeyGuard guard(DispatchKey::Python);
    tls_set_dispatch_key_included(DispatchKey::Functionalize, true);
    tls_set_dispatch_key_included(DispatchKey::BackendSelect, false);
  }
  CHECK_FALSE(tls_is_dispatch_key_included(DispatchKey::Python));
  CHECK(tls_is_dispatch_key_included(DispatchKey::Functionalize));
  CHECK_FALSE(tls_is_dispatch_key_included(DispatchKey::BackendSelect));
  {
    tls_set_dispatch_key_excluded(DispatchKey::Python, true);
    const ExcludeDispatchKeyGuard guard(DispatchKeySet({DispatchKey::Python, DispatchKey::ADInplaceOrView}));
    tls_set_dispatch_key_excluded(DispatchKey::AutocastFunctionality, false);
  }
  CHECK(tls_is_dispatch_key_excluded(DispatchKey::Python));  // it was excluded before the guard
  CHECK_FALSE(tls_is_dispatch_key_excluded(DispatchKey::ADInplaceOrView));
  CHECK_FALSE(tls_is_dispatch_key_excluded(DispatchKey::AutocastFunctionality));
}
