// "Must my autograd kernel use call or redispatch, a mask or a guard?" `call` computes the key set from the
// arguments, which still carry the key: the kernel arrives at itself. `redispatch` takes the set that it is
// given, so the kernel masks it. The guard is for the *other* operators that the kernel below calls: those
// are calls, and read the thread's state.
#include <doctest/doctest.h>

#include "dispatcher/testing.h"
#include "ops/ops.h"
#include "tests/confusions/show.h"

using namespace gb;
using namespace gb::testing;
using namespace gb::confusions;

namespace {

using Unary = Tensor(const Tensor&);
TypedOperatorHandle<Unary> op() { return find("c3::f").typed<Unary>(); }

Tensor f_cpu(const Tensor& x) { return x.mul(2); }

Tensor forgets_to_mask(DispatchKeySet ks, const Tensor& x) { return op().redispatch(ks, x); }
Tensor calls_itself(const Tensor& x) { return op().call(x); }
Tensor masks(DispatchKeySet ks, const Tensor& x) { return op().redispatch(ks & after_autograd_keyset, x); }
Tensor masks_under_a_guard(DispatchKeySet ks, const Tensor& x) {
  const AutoDispatchBelowAutograd guard;
  return op().redispatch(ks & after_autograd_keyset, x);
}

// What happens with `kernel` at Autograd: the hops, or the error.
template <class F>
std::string with(F* kernel) {
  Library library = MAKE_GB_LIBRARY(c3);
  library.def("f(Tensor x) -> Tensor")
      .impl("f", DispatchKey::CPU, &f_cpu)
      .impl("f", DispatchKey::Autograd, kernel);
  const Tensor x = ones({2}, requires_grad(true));
  const trace::Recorder recorder;
  const std::string error = error_of([&] { op().call(x); });
  return without_lines(error == "no error" ? hops(recorder.tree()) : error + "\n");
}

}  // namespace

TEST_CASE("call or redispatch? a kernel that comes back to itself is an error that names the repair") {
  const std::string forgot = with(&forgets_to_mask), called = with(&calls_itself);
  CHECK(contains(forgot, "infinite recursion"));
  CHECK(contains(called, "infinite recursion"));
  check_golden("03_recursion", forgot);
}

TEST_CASE("call or redispatch? the mask takes this operator on, the guard covers the operators below") {
  const std::string masked = with(&masks), guarded = with(&masks_under_a_guard);
  CHECK(contains(masked,
                 "call aten::mul.Scalar => AutogradCPU"));  // recorded: x has a history through f's inside
  CHECK_FALSE(contains(guarded, "call aten::mul.Scalar => AutogradCPU"));  // not recorded
  check_golden("03_mask_and_guard", "== mask\n" + masked + "\n== mask and guard\n" + guarded);
}
