// Confusion 3 of the reference: a kernel that calls itself because it did not take its own key off. Without a
// trace that ends in a stack overflow; under a trace in an error that names the kernel and what to write
// instead.
#include <doctest/doctest.h>

#include "dispatcher/trace_test_ops.h"

using namespace gb;
using namespace gb::testing;

namespace {

using Unary = Tensor(const Tensor&);
TypedOperatorHandle<Unary> op(const char* name) { return find(name).typed<Unary>(); }

Tensor forgets_the_mask(DispatchKeySet ks, const Tensor& x) { return op("deep::f").redispatch(ks, x); }
Tensor forgets_the_guard(const Tensor& x) { return op("deep::f").call(x); }
Tensor masks(DispatchKeySet ks, const Tensor& x) {
  return op("deep::f").redispatch(ks & after_autograd_keyset, x);
}
Tensor guards(const Tensor& x) {
  const AutoDispatchBelowAutograd guard;
  return op("deep::f").call(x);
}

}  // namespace

TEST_CASE("trace: a redispatch that forgot to mask is an error with the fix, golden") {
  Library library = MAKE_GB_LIBRARY(deep);
  library.def("f(Tensor x) -> Tensor").impl("f", DispatchKey::CPU, [](const Tensor& x) { return x; });
  library.impl("f", DispatchKey::Autograd, &forgets_the_mask, "f/autograd.cc", 12);
  const std::string expected =
      "deep::f: infinite recursion? 1000 hops of the dispatcher are nested on this thread\n"
      "  cause:   the kernel of deep::f at AutogradCPU (f/autograd.cc:12) comes back to itself\n"
      "  repair:  take the key AutogradCPU off before that kernel calls on: redispatch with ks & "
      "after_autograd_keyset, or call "
      "under a guard that excludes AutogradCPU. GB_TRACE_MAX_DEPTH sets the limit\n"
      "  chapter: docs/en/theory/01-dispatcher-and-aten.md#dispatch";
  {
    const trace::Recorder recorder;
    CHECK(error_of([] { op("deep::f").call(tensor()); }) == expected);
    CHECK(recorder.size() == 1000);
    CHECK(count(recorder.tree(), " ! gb::Error: deep::f: infinite recursion?") == 1000);
    CHECK(error_of([] { op("deep::f").call(tensor()); }) == expected);  // and the depth was 0 again
  }
  const Warnings warnings;
  library.impl("f", DispatchKey::Autograd, &forgets_the_guard, "f/autograd.cc", 12);
  const trace::Recorder recorder(trace::Filter::parse("key=CPU"));
  CHECK(error_of([] { op("deep::f").call(tensor()); }) == expected);
  library.impl("f", DispatchKey::Autograd, &masks);
  CHECK(op("deep::f").call(tensor()).defined());
  library.impl("f", DispatchKey::Autograd, &guards);
  CHECK(op("deep::f").call(tensor()).defined());
  CHECK(recorder.size() == 2);
}

TEST_CASE("trace: the same at other keys, and in a round of two operators") {
  Library library = MAKE_GB_LIBRARY(deep);
  library.def("f(Tensor x) -> Tensor").def("g(Tensor x) -> Tensor").def("h(Tensor x) -> Tensor");
  library.impl("f", DispatchKey::ADInplaceOrView, &forgets_the_mask, "f/version.cc", 3);
  library.impl("f", DispatchKey::Autograd, CppFunction::makeFallthrough());
  library.impl(
      "g", DispatchKey::CompositeImplicitAutograd, [](const Tensor& x) { return op("deep::h").call(x); },
      "g.cc", 1);
  library.impl(
      "h", DispatchKey::CompositeImplicitAutograd, [](const Tensor& x) { return op("deep::g").call(x); },
      "h.cc", 1);
  const trace::Recorder recorder;
  CHECK(contains(error_of([] { op("deep::f").call(tensor()); }),
                 "take the key ADInplaceOrView off before that kernel calls on: redispatch with ks & "
                 "after_ADInplaceOrView_keyset"));
  CHECK(contains(error_of([] { op("deep::g").call(tensor()); }),
                 "the kernel of deep::g at AutogradCPU (g.cc:1) comes back to itself by way of deep::h at "
                 "AutogradCPU (h.cc:1)\n"));
}
