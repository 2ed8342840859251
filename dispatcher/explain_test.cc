#include "dispatcher/explain.h"

#include <doctest/doctest.h>

#include "dispatcher/testing.h"

using namespace gb;
using namespace gb::testing;

namespace {

Tensor kernel(const Tensor& x) { return x; }
using K = DispatchKey;

}  // namespace

TEST_CASE("explain: the whole derivation, golden") {
  Library library = MAKE_GB_LIBRARY(why);
  library.def("f(Tensor x) -> Tensor");
  library.impl("f", K::CPU, &kernel, "f/cpu.cc", 4).impl("f", K::Autograd, &kernel, "f/autograd.cc", 8);
  library.impl("f", K::CompositeImplicitAutograd, &kernel, "f/f.cc", 2);
  CHECK(explain(find("why::f"), tensor().key_set()) ==
        "why::f\n"
        "    arguments    {CPU, ADInplaceOrView, AutogradCPU, AutocastCPU}\n"
        "  | TLS include  {BackendSelect, ADInplaceOrView}\n"
        "  - TLS exclude  {AutocastFunctionality}\n"
        "  & mask         all but {BackendSelect, Functionalize, ADInplaceOrView, Tracer, AutocastFunctionality}, which are "
        "fallthroughs "
        "here\n"
        "  = key set      {CPU, AutogradCPU}\n"
        "  key            AutogradCPU, the highest; slot 25\n"
        "  rules          1. kernel for AutogradCPU            none is registered\n"
        "                 2. CompositeExplicitAutograd kernel  none is registered\n"
        "                 3. CompositeImplicitAutograd kernel  there is one (f/f.cc:2), but the backend has "
        "a kernel of its "
        "own, so the call must not decompose\n"
        "                 4. Autograd alias kernel             decides\n"
        "  reason         Autograd alias kernel\n"
        "  kernel         unboxed, f/autograd.cc:8\n");
}

TEST_CASE("explain: agrees with the slot that a call reads") {
  Library library = MAKE_GB_LIBRARY(why);
  library.def("f(Tensor x) -> Tensor")
      .impl("f", K::CPU, &kernel)
      .impl("f", K::CompositeExplicitAutograd, &kernel);
  library.impl("f", K::AutogradMeta, CppFunction::makeFallthrough());
  const OperatorHandle f = find("why::f");
  for (DispatchKeySet arguments :
       {tensor().key_set(), tensor(K::Meta).key_set(), DispatchKeySet(K::CUDA), DispatchKeySet()}) {
    const DispatchExplanation e = explain_dispatch(f, arguments);
    const DispatchKeySet ks = f.entry().computeDispatchKeySet(arguments);
    CHECK((e.result == ks));
    CHECK((e.key == ks.highestPriorityTypeId()));
    CHECK(e.registered == f.entry().lookup(ks).debug);
    CHECK(e.slot == getDispatchTableIndexForDispatchKey(e.key));
  }
  CHECK((explain_dispatch(f, tensor(K::Meta).key_set()).key == K::Meta));
  CHECK((explain_dispatch(f, DispatchKeySet()).reason == impl::SlotReason::kCompositeExplicit));
}

TEST_CASE("explain: follows the thread's guards, a missing kernel and a removed operator") {
  std::optional<OperatorHandle> f;
  {
    Library library = MAKE_GB_LIBRARY(why);
    library.def("f(Tensor x) -> Tensor").impl("f", K::CPU, &kernel);
    f = find("why::f");
    const DispatchExplanation missing = explain_dispatch(*f, tensor().key_set());
    CHECK((missing.reason == impl::SlotReason::kMissing));
    CHECK(contains(missing.text(), "  kernel         none: the call throws, nothing is registered\n"));
    CHECK(missing.rules.size() == 5);
    const AutoDispatchBelowAutograd guard;
    CHECK((explain_dispatch(*f, tensor().key_set()).key == K::CPU));
  }
  CHECK(contains(explain(*f, tensor().key_set()), "reason         operator removed"));
}

TEST_CASE("explain: several arguments, and who brought the key") {
  Library library = MAKE_GB_LIBRARY(why);
  library.def("f(Tensor x, Tensor y) -> Tensor");
  library.impl("f", K::CPU, [](const Tensor& x, const Tensor&) { return x; })
      .impl("f", K::Autograd, CppFunction::makeFallthrough());
  const OperatorHandle f = find("why::f");
  const DispatchExplanation e =
      explain_dispatch(f, {{"x", tensor().key_set()}, {"y", tensor(K::CUDA).key_set()}});
  CHECK((e.key == K::CUDA));
  CHECK(e.brought_by == "y");
  CHECK(starts_with(e.text(),
                    "why::f\n"
                    "    x            {CPU, ADInplaceOrView, AutogradCPU, AutocastCPU}\n"
                    "  | y            {CUDA, ADInplaceOrView, AutogradCUDA, AutocastCUDA}\n"
                    "  | TLS include  {BackendSelect, ADInplaceOrView}\n"));
  CHECK(contains(e.text(), "  key            CUDA, the highest, of y; slot 2\n"));
  CHECK(starts_with(e.json(),
                    "{\"op\":\"why::f\",\"arguments\":[{\"name\":\"x\",\"keys\":[\"CPU\",\"ADInplaceOrView\","
                    "\"AutogradCPU\","
                    "\"AutocastCPU\"]},{\"name\":\"y\","));
  CHECK(contains(e.json(),
                 "\"brought_by\":\"y\",\"slot\":{\"key\":\"CUDA\",\"slot\":2,\"reason\":\"missing\""));

  const impl::IncludeDispatchKeyGuard mode(K::Python);
  CHECK(explain_dispatch(f, tensor().key_set()).brought_by == "TLS include");
  CHECK(explain_dispatch(f, DispatchKeySet()).brought_by == "TLS include");
}
