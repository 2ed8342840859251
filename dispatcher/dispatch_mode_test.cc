#include "dispatcher/dispatch_mode.h"

#include <doctest/doctest.h>

#include <functional>
#include <thread>

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

// Does something of its own first, in dispatch, where it is not active.
struct Then : DispatchMode {
  explicit Then(std::function<void()> f) : f(std::move(f)) {}
  void dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) override {
    f();
    op.redispatchBoxed(ks, stack);
  }
  std::function<void()> f;
};
// Takes composites apart.
struct Parts : Log {
  using Log::Log;
  void dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) override {
    if (!decompose(op, ks, stack)) Log::dispatch(op, ks, stack);
  }
};

Tensor inner(const Tensor& x) { return tensor(DispatchKey::CPU, value(x) + 1); }
Tensor outer(const Tensor& x) { return find("mode::inner").typed<Tensor(const Tensor&)>().call(x); }

struct Ops {
  Ops() {
    library.def("inner(Tensor x) -> Tensor").def("outer(Tensor x) -> Tensor").def("make(float v) -> Tensor");
    library.impl("make", DispatchKey::CPU, [](double v) { return tensor(DispatchKey::CPU, static_cast<float>(v)); });
    library.impl("make", DispatchKey::BackendSelect, [](double v) {
      return find("mode::make").typed<Tensor(double)>().redispatch(DispatchKeySet(DispatchKey::CPU), v);
    });
    library.impl("inner", DispatchKey::CPU, &inner).impl("inner", DispatchKey::Autograd, CppFunction::makeFallthrough());
    library.impl("outer", DispatchKey::CompositeImplicitAutograd, &outer);
  }
  // No tensor argument: through BackendSelect, as a factory goes.
  float make() const { return value(find("mode::make").typed<Tensor(double)>().call(7)); }
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

TEST_CASE("mode: sees a factory, which no tensor argument brings to any backend") {
  const Ops ops;
  std::string seen;
  Log log(&seen, "a");
  const DispatchModeGuard guard(&log);
  CHECK(ops.make() == 7);
  CHECK(seen == "a:mode::make ");
}

TEST_CASE("mode: below autograd a composite arrives whole, unless the mode takes it apart") {
  const Ops ops;
  std::string whole, parts;
  Log log(&whole, "w");
  Parts apart(&parts, "p");
  const AutoDispatchBelowAutograd below;
  {
    const DispatchModeGuard guard(&log);
    ops.run("mode::outer");
  }
  CHECK(whole == "w:mode::outer ");
  const DispatchModeGuard guard(&apart);
  CHECK(ops.run("mode::outer") == 1);
  CHECK(parts == "p:mode::inner ");
  CHECK(active_dispatch_mode() == &apart);
}

TEST_CASE("mode: a mode may push another, and itself, while it runs; afterwards the stack is what it was") {
  const Ops ops;
  std::string seen;
  Log a(&seen, "a"), b(&seen, "b");
  bool once = true;
  Then* self = nullptr;
  Then then([&] {
    if (!std::exchange(once, false)) return;
    CHECK(active_dispatch_mode() == &a);  // not active itself
    const DispatchModeGuard inside(&b), again(self);
    ops.run("mode::inner");  // then (nothing to do now), b, a
  });
  self = &then;
  const DispatchModeGuard first(&a), second(&then);
  ops.run("mode::inner");
  CHECK(seen == "b:mode::inner a:mode::inner a:mode::inner ");
  ops.run("mode::inner");
  CHECK(seen == "b:mode::inner a:mode::inner a:mode::inner a:mode::inner ");
  CHECK(active_dispatch_mode() == &then);
}

TEST_CASE("mode: an exception unwinds through several modes and a guard inside of one") {
  const Ops ops;
  std::string seen;
  Log outermost(&seen, "a"), pushed(&seen, "p");
  Fail fail;
  Then then([&] {
    const DispatchModeGuard inside(&pushed), failing(&fail);
    ops.run("mode::inner");
  });
  const DispatchModeGuard first(&outermost), second(&then);
  CHECK(error_of([&] { ops.run("mode::inner"); }) == "no");
  CHECK(active_dispatch_mode() == &then);
  CHECK(impl::tls_is_dispatch_key_included(DispatchKey::Python));
  CHECK(seen == "");
}

TEST_CASE("mode: the stack is the thread's own; one object may be active on two threads") {
  const Ops ops;
  std::string seen;
  Log log(&seen, "a");
  const DispatchModeGuard guard(&log);
  std::thread([&] {
    CHECK(active_dispatch_mode() == nullptr);
    CHECK(ops.run("mode::inner") == 1);
    const DispatchModeGuard there(&log);
    CHECK(ops.run("mode::inner") == 1);
  }).join();
  CHECK(seen == "a:mode::inner ");
  CHECK(active_dispatch_mode() == &log);
}
