#include "dispatcher/dispatch_mode.h"

#include <doctest/doctest.h>

#include "dispatcher/testing.h"

using namespace gb;
using namespace gb::testing;

namespace {

// Notes the operators it sees, then runs them.
struct Log : DispatchMode {
  explicit Log(std::string* text, const char* name) : text(text), name(name) {}
  void dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) override {
    *text += std::string(name) + ":" + op.operator_name().name + " ";
    CHECK(ks.has(DispatchKey::Python) == (active_dispatch_mode() != nullptr));  // goes to the next mode, if there is one
    op.redispatchBoxed(ks, stack);
  }
  std::string* text;
  const char* name;
};
// Answers instead of the operator.
struct Answer : DispatchMode {
  void dispatch(const OperatorHandle&, DispatchKeySet, Stack* stack) override {
    stack->clear();
    stack->emplace_back(tensor(DispatchKey::CPU, 99));
  }
};
struct Fail : DispatchMode {
  void dispatch(const OperatorHandle&, DispatchKeySet, Stack*) override {
    GB_THROW(Error, .what = "no", .cause = "", .repair = "", .chapter = nullptr);
  }
};

Tensor inner(const Tensor& x) { return tensor(DispatchKey::CPU, value(x) + 1); }
Tensor outer(const Tensor& x) { return find("mode::inner").typed<Tensor(const Tensor&)>().call(x); }

struct Ops {
  Ops() {
    library.def("inner(Tensor x) -> Tensor").def("outer(Tensor x) -> Tensor");
    library.impl("inner", DispatchKey::CPU, &inner).impl("inner", DispatchKey::Autograd, CppFunction::makeFallthrough());
    library.impl("outer", DispatchKey::CompositeImplicitAutograd, &outer);
  }
  float run(const char* op) const { return value(find(op).typed<Tensor(const Tensor&)>().call(tensor())); }
  Library library = MAKE_GB_LIBRARY(mode);
};

}  // namespace

TEST_CASE("mode: sees what comes down from autograd; a composite operator only by its parts") {
  const Ops ops;
  std::string seen;
  Log log(&seen, "a");
  {
    const DispatchModeGuard guard(&log);
    CHECK(active_dispatch_mode() == &log);
    CHECK(ops.run("mode::outer") == 1);
  }
  CHECK(seen == "a:mode::inner ");  // outer decomposed at AutogradCPU, above the mode key
  CHECK(active_dispatch_mode() == nullptr);
  ops.run("mode::inner");
  CHECK(seen == "a:mode::inner ");
}

TEST_CASE("mode: the innermost is asked first, the next one by what it runs") {
  const Ops ops;
  std::string seen;
  Log a(&seen, "a"), b(&seen, "b");
  const DispatchModeGuard first(&a);
  {
    const DispatchModeGuard second(&b);
    ops.run("mode::inner");
    CHECK(seen == "b:mode::inner a:mode::inner ");
  }
  ops.run("mode::inner");
  CHECK(seen == "b:mode::inner a:mode::inner a:mode::inner ");
}

TEST_CASE("mode: may answer by itself") {
  const Ops ops;
  Answer answer;
  const DispatchModeGuard guard(&answer);
  CHECK(ops.run("mode::inner") == 99);
}

TEST_CASE("mode: is active again after it threw") {
  const Ops ops;
  Fail fail;
  {
    const DispatchModeGuard guard(&fail);
    CHECK(error_of([&] { ops.run("mode::inner"); }) == "no");
    CHECK(active_dispatch_mode() == &fail);
    CHECK(impl::tls_is_dispatch_key_included(DispatchKey::Python));
  }
  CHECK_FALSE(impl::tls_is_dispatch_key_included(DispatchKey::Python));
  CHECK(ops.run("mode::inner") == 1);
}

TEST_CASE("mode: one object is entered once") {
  std::string seen;
  Log log(&seen, "a");
  const DispatchModeGuard guard(&log);
  CHECK(starts_with(error_of([&] { const DispatchModeGuard again(&log); }), "DispatchModeGuard: this mode is active already"));
  CHECK(active_dispatch_mode() == &log);
}
