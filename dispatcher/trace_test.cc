#include "dispatcher/trace.h"

#include <doctest/doctest.h>

#include "dispatcher/testing.h"

using namespace gb;
using namespace gb::testing;

namespace {

Tensor inner_cpu(const Tensor& x, const Tensor&) { return x; }
Tensor inner_autograd(DispatchKeySet ks, const Tensor& x, const Tensor& y) {
  const AutoDispatchBelowAutograd guard;
  return find("trace::inner").typed<Tensor(const Tensor&, const Tensor&)>().redispatch(ks & after_autograd_keyset, x, y);
}
Tensor outer(const Tensor& x) {
  return find("trace::inner").typed<Tensor(const Tensor&, const Tensor&)>().call(x, x);
}

struct Ops {
  Ops() {
    library.def("inner(Tensor x, Tensor y) -> Tensor").def("outer(Tensor x) -> Tensor");
    library.impl("inner", DispatchKey::CPU, CppFunction(&inner_cpu).debug("inner/cpu.cc:5"));
    library.impl("inner", DispatchKey::Autograd, &inner_autograd, "inner/autograd.cc", 7);
    library.impl("outer", DispatchKey::CompositeImplicitAutograd, &outer, "outer.cc", 3);
  }
  Tensor run() const { return find("trace::outer").typed<Tensor(const Tensor&)>().call(tensor()); }
  Library library = MAKE_GB_LIBRARY(trace);
};

const char* const kTree =
    "call trace::outer(x: {CPU, ADInplaceOrView, AutogradCPU, AutocastCPU}) | TLS +{BackendSelect, ADInplaceOrView} "
    "-{AutocastFunctionality} | mask -{BackendSelect, Functionalize, ADInplaceOrView, Tracer, AutocastFunctionality} => AutogradCPU : "
    "CompositeImplicitAutograd kernel, outer.cc:3\n"
    "  call trace::inner(x, y: {CPU, ADInplaceOrView, AutogradCPU, AutocastCPU}) | TLS +{BackendSelect, ADInplaceOrView} "
    "-{AutocastFunctionality} | mask -{BackendSelect, Functionalize, ADInplaceOrView, Tracer, AutocastFunctionality} => AutogradCPU : "
    "Autograd alias kernel, inner/autograd.cc:7\n"
    "    redispatch trace::inner(x, y: {CPU, ADInplaceOrView, AutogradCPU, AutocastCPU}) | TLS +{BackendSelect, ADInplaceOrView} "
    "-{AutogradOther, AutogradFunctionality, AutocastFunctionality} | mask -{BackendSelect, Functionalize, ADInplaceOrView, "
    "Tracer, AutocastFunctionality} | given {CPU} => CPU : "
    "kernel for this key, inner/cpu.cc:5\n";

}  // namespace

TEST_CASE("trace: the tree of a composite call, golden") {
  const Ops ops;
  const trace::Recorder recorder;
  ops.run();
  CHECK(recorder.tree() == kTree);
  CHECK(recorder.size() == 3);
}

TEST_CASE("trace: off by default, off again after the recorder; the same result either way") {
  const Ops ops;
  CHECK_FALSE(trace::is_enabled());
  {
    const trace::Recorder recorder;
    CHECK(trace::is_enabled());
    CHECK(recorder.tree().empty());
  }
  CHECK_FALSE(trace::is_enabled());
  CHECK(ops.run().defined());
}

TEST_CASE("trace: the innermost recorder keeps the hops") {
  const Ops ops;
  const trace::Recorder all;
  {
    const trace::Recorder nested;
    ops.run();
    CHECK(nested.size() == 3);
  }
  CHECK(all.size() == 0);
  ops.run();
  CHECK(all.size() == 3);
}

TEST_CASE("trace: JSON lines") {
  const Ops ops;
  const trace::Recorder recorder;
  ops.run();
  const std::string json = recorder.json_lines();
  CHECK(starts_with(json, "{\"kind\":\"call\",\"depth\":0,\"op\":\"trace::outer\",\"arguments\":{\"x\":\"{CPU, ADInplaceOrView, "
                          "AutogradCPU, AutocastCPU}\"},\"tls_include\":\"{BackendSelect, ADInplaceOrView}\","));
  CHECK(contains(json, "\"keyset\":\"{CPU}\",\"key\":\"CPU\",\"reason\":\"kernel for this key\",\"kernel\":\"inner/cpu.cc:5\"}\n"));
}

TEST_CASE("trace: boxed calls, and an exception on the way") {
  const Ops ops;
  const trace::Recorder recorder;
  Stack stack{tensor(), tensor()};
  find("trace::inner").callBoxed(&stack);
  CHECK(starts_with(recorder.tree(), "callBoxed trace::inner(x, y: {CPU, "));
  CHECK_THROWS_AS((find("trace::inner").typed<Tensor(const Tensor&, const Tensor&)>().call(tensor(DispatchKey::Meta), tensor())),
                  NotImplementedError);
  ops.run();  // the depth is 0 again
  CHECK(contains(recorder.tree(), "\ncall trace::outer("));
}
