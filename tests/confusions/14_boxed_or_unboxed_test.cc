// "Boxed or unboxed, and why are fallbacks boxed?" An unboxed kernel has the operator's own C++ types; a
// boxed one takes a stack of values and so fits every signature. A KernelFunction answers both calls, however
// it was made.
#include <doctest/doctest.h>

#include "dispatcher/testing.h"
#include "tests/confusions/show.h"

using namespace gb;
using namespace gb::testing;
using namespace gb::confusions;

namespace {

using Pick = Tensor(const Tensor&, int64_t, const std::optional<Tensor>&);
Tensor pick(const Tensor& x, int64_t n, const std::optional<Tensor>& other) {
  return n == 0 || !other ? x : *other;
}
void pick_boxed(const OperatorHandle&, Stack* stack) {
  const Tensor result =
      (*stack)[1].toInt() == 0 || (*stack)[2].isNone() ? (*stack)[0].toTensor() : (*stack)[2].toTensor();
  *stack = {result};
}

std::vector<std::string> seen;
void note_and_go_on(const OperatorHandle& op, DispatchKeySet ks,
                    Stack* stack) {  // one function for all operators
  seen.push_back(toString(op.operator_name()) + ": " + std::to_string(op.schema().arguments().size()) +
                 " arguments");
  op.redispatchBoxed(ks & DispatchKeySet(DispatchKeySet::FULL_AFTER, DispatchKey::TESTING_ONLY_GenericMode),
                     stack);
}

}  // namespace

TEST_CASE("boxed or unboxed? each kernel answers both calls, with the very same tensor") {
  Library library = MAKE_GB_LIBRARY(c14);
  library.def("unboxed(Tensor x, int n, Tensor? other) -> Tensor").impl("unboxed", DispatchKey::CPU, &pick);
  library.def("boxed(Tensor x, int n, Tensor? other) -> Tensor");
  library.impl("boxed", DispatchKey::CPU, CppFunction::makeFromBoxedFunction<&pick_boxed>());
  const AutoDispatchBelowADInplaceOrView below;
  const Tensor x = tensor(), other = tensor();
  for (const char* name : {"c14::unboxed", "c14::boxed"}) {
    const OperatorHandle op = find(name);
    CHECK(op.typed<Pick>().call(x, 1, other).is_same(other));
    CHECK(op.typed<Pick>().call(x, 1, std::nullopt).is_same(x));
    Stack stack{x, int64_t{1}, other};
    op.callBoxed(stack);
    CHECK(stack.size() == 1);
    CHECK(stack[0].toTensor().is_same(other));
  }
}

TEST_CASE("boxed or unboxed? one boxed fallback serves every signature") {
  Library library = MAKE_GB_LIBRARY(c14), fallbacks = MAKE_GB_LIBRARY_IMPL(_, TESTING_ONLY_GenericMode);
  library.def("one(Tensor x) -> Tensor").impl("one", DispatchKey::CPU, [](const Tensor& x) { return x; });
  library.def("three(Tensor x, int n, Tensor? other) -> Tensor").impl("three", DispatchKey::CPU, &pick);
  fallbacks.fallback(CppFunction::makeFromBoxedFunction<&note_and_go_on>());
  const impl::IncludeDispatchKeyGuard on(DispatchKey::TESTING_ONLY_GenericMode);
  const AutoDispatchBelowADInplaceOrView below;
  seen.clear();
  find("c14::one").typed<Tensor(const Tensor&)>().call(tensor());
  find("c14::three").typed<Pick>().call(tensor(), 0, std::nullopt);
  CHECK(seen == std::vector<std::string>{"c14::one: 1 arguments", "c14::three: 3 arguments"});
}
