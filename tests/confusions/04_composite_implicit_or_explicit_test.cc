// "CompositeImplicitAutograd or CompositeExplicitAutograd?" Both serve every backend. Implicit also serves
// the autograd keys: the gradient is that of the operators it is made of. Explicit leaves them: a formula
// must be registered.
#include <doctest/doctest.h>

#include "autograd/autograd.h"
#include "autograd/node.h"
#include "dispatcher/testing.h"
#include "ops/ops.h"
#include "tests/confusions/show.h"

using namespace gb;
using namespace gb::testing;
using namespace gb::confusions;

namespace {

Tensor times_itself(const Tensor& x) { return x.mul(x); }  // one kernel, registered three ways

// Who serves the interesting slots.
std::string slots(const OperatorHandle& op) {
  std::string text;
  for (const DispatchKey k :
       {DispatchKey::Undefined, DispatchKey::CPU, DispatchKey::CUDA, DispatchKey::AutogradCPU,
        DispatchKey::AutogradCUDA, DispatchKey::AutogradOther}) {
    const std::string key = toString(k);
    text += key + std::string(14 - key.size(), ' ') + toString(op.entry().reason(k)) + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("implicit or explicit? one kernel registered both ways, and implicit beside a CPU kernel") {
  Library library = MAKE_GB_LIBRARY(c4);
  library.def("implicit(Tensor x) -> Tensor")
      .impl("implicit", DispatchKey::CompositeImplicitAutograd, &times_itself);
  library.def("explicit(Tensor x) -> Tensor")
      .impl("explicit", DispatchKey::CompositeExplicitAutograd, &times_itself);
  library.def("both(Tensor x) -> Tensor").impl("both", DispatchKey::CompositeImplicitAutograd, &times_itself);
  library.impl("both", DispatchKey::CPU, &times_itself);

  const auto call = [](const char* name, const Tensor& x) {
    return find(name).typed<Tensor(const Tensor&)>().call(x);
  };
  const Tensor x = full({2}, 3.0, requires_grad(true));
  std::string text;
  for (const char* name : {"c4::implicit", "c4::explicit", "c4::both"}) {
    const Tensor y = call(name, x);
    CHECK(y.detach().sum().item().toDouble() == 18);
    text += std::string("== ") + name + "\n" + slots(find(name)) + "grad_fn       " + y.grad_fn()->name() +
            "\n\n";
  }
  check_golden("04_composites", text);

  call("c4::implicit", x).sum().backward();
  CHECK(x.grad().sum().item().toDouble() == 12);
  CHECK(contains(error_of([&] { call("c4::explicit", x).sum().backward(); }), "derivative for c4::explicit"));
  // On Meta nothing stands beside the implicit kernel, so there `both` decomposes.
  CHECK((find("c4::both").entry().reason(DispatchKey::AutogradMeta) == impl::SlotReason::kCompositeImplicit));
}

TEST_CASE("implicit or explicit? AutogradOther serves many backends, so it may be ambiguous") {
  Library library = MAKE_GB_LIBRARY(c4);
  library.def("f(Tensor x) -> Tensor").impl("f", DispatchKey::CompositeImplicitAutograd, &times_itself);
  library.impl("f", DispatchKey::FPGA, &times_itself);
  const std::string error = error_of([&] {
    find("c4::f").typed<Tensor(const Tensor&)>().redispatch(DispatchKeySet(DispatchKey::AutogradOther),
                                                            ones({1}));
  });
  CHECK((find("c4::f").entry().reason(DispatchKey::AutogradOther) ==
         impl::SlotReason::kAmbiguousAutogradOther));
  check_golden("04_ambiguous", without_lines(error) + "\n");
}
