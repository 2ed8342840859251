// Every error of registration, lookup and call, by its text: dispatcher/testdata/errors.golden. After each
// refusal the registry is compared with what it was before, and the right registration, or call, is made.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>

#include "core/error.h"
#include "dispatcher/testing.h"
#include "tests/golden.h"

using namespace gb;
using namespace gb::testing;

namespace {

using K = DispatchKey;

Tensor one(const Tensor& x) { return x; }
Tensor two(const Tensor& x, const Tensor&) { return x; }
Tensor by_value(Tensor x) { return x; }
Tensor scaled(const Tensor& x, double) { return x; }
Tensor counted(const Tensor& x, int64_t) { return x; }
int64_t number(const Tensor&) { return 1; }
std::tuple<Tensor, Tensor> both(const Tensor& x) { return {x, x}; }
void boxed(const OperatorHandle&, Stack*) {}
CppFunction boxed_kernel() { return CppFunction::makeFromBoxedFunction<&boxed>(); }
using Unary = Tensor(const Tensor&);

struct Refusing : OpRegistrationListener {
  void onOperatorRegistered(const OperatorHandle& op) override {
    GB_CHECK_OR_THROW(toString(op.operator_name()) != "err::f", ValueError,
                      .what = "this listener wants no err::f", .cause = "", .repair = "", .chapter = nullptr);
  }
  void onOperatorDeregistered(const OperatorHandle&) override {}
};

// Everything that a registration could change.
std::string registry() {
  std::string text;
  for (const OperatorName& name : Dispatcher::singleton().getAllOpNames()) {
    const OperatorHandle op = *Dispatcher::singleton().findOp(name);
    text += op.dumpState() + op.dumpComputedTable();
  }
  for (const DispatchKey k : DispatchKeySet(DispatchKeySet::FULL)) {
    text += Dispatcher::singleton().hasBackendFallbackForDispatchKey(k) ? '1' : '0';
  }
  return text;
}

class Scene {
 public:
  template <class F>
  void refuse(F&& f) {
    const std::string before = registry();
    texts_ += error_of(f) + "\n";
    CHECK(registry() == before);
  }
  template <class F>
  void accept(F&& f) {
    CHECK(error_of(f) == "no error");
  }
  template <class F>
  void warn(F&& f) {
    const Warnings warnings;
    accept(f);
    REQUIRE(warnings.messages.size() == 1);
    texts_ += "warning: " + warnings.messages[0] + "\n";
  }
  const std::string& texts() const { return texts_; }

  Library library{Library::DEF, "err", std::nullopt, "err/ops.cc", 1};

 private:
  std::string texts_;
};

Library block(Library::Kind kind, const char* ns, std::optional<DispatchKey> key = std::nullopt) {
  return Library(kind, ns, key, "err/block.cc", 10);
}
auto f_of(const char* name = "err::f") { return find(name).typed<Unary>(); }

struct Case {
  const char* title;
  void (*play)(Scene&);
};

// --- what PyTorch finds when something is registered
const Case kRegistration[] = {
    {"a second GB_LIBRARY for a namespace",
     [](Scene& s) {
       s.refuse([] { block(Library::DEF, "err"); });
       s.accept([] { block(Library::FRAGMENT, "err").def("f(Tensor x) -> Tensor"); });
     }},
    {"an operator defined twice",
     [](Scene& s) {
       s.library.def("f(Tensor x) -> Tensor", "err/ops.cc", 2);
       s.refuse([&] { s.library.def("f(Tensor x, Tensor y) -> Tensor", "err/ops.cc", 3); });
       s.accept([&] { s.library.def("f.two(Tensor x, Tensor y) -> Tensor", "err/ops.cc", 3); });
     }},
    {"a second fallback for a key",
     [](Scene& s) {
       Library first = block(Library::IMPL, "_", K::TESTING_ONLY_GenericMode);
       Library second = block(Library::IMPL, "_", K::TESTING_ONLY_GenericMode);
       first.fallback(CppFunction::makeFallthrough(), "err/first.cc", 1);
       s.refuse([&] { second.fallback(CppFunction::makeFallthrough(), "err/second.cc", 1); });
       first.reset();
       s.accept([&] { second.fallback(CppFunction::makeFallthrough(), "err/second.cc", 1); });
     }},
    {"a fallback in a named namespace",
     [](Scene& s) {
       s.refuse([] {
         block(Library::IMPL, "err", K::TESTING_ONLY_GenericMode).fallback(CppFunction::makeFallthrough());
       });
       s.accept([] {
         block(Library::IMPL, "_", K::TESTING_ONLY_GenericMode).fallback(CppFunction::makeFallthrough());
       });
     }},
    {"a fallback that is not boxed",
     [](Scene& s) {
       s.refuse([] { block(Library::IMPL, "_", K::TESTING_ONLY_GenericMode).fallback(CppFunction(&one)); });
       s.accept([] { block(Library::IMPL, "_", K::TESTING_ONLY_GenericMode).fallback(boxed_kernel()); });
     }},
    {"a def inside GB_LIBRARY_IMPL",
     [](Scene& s) {
       s.refuse([] { block(Library::IMPL, "err", K::CPU).def("f(Tensor x) -> Tensor"); });
       s.accept([] { block(Library::FRAGMENT, "err").def("f(Tensor x) -> Tensor"); });
     }},
    {"the namespace in the string is not the block's: def, impl",
     [](Scene& s) {
       s.refuse([&] { s.library.def("other::f(Tensor x) -> Tensor"); });
       s.refuse([&] { s.library.impl("other::f", K::CPU, &one); });
       s.accept([&] { s.library.def("err::f(Tensor x) -> Tensor").impl("err::f", K::CPU, &one); });
     }},
    {"the key of a kernel is not the block's",
     [](Scene& s) {
       s.library.def("f(Tensor x) -> Tensor");
       Library cpu = block(Library::IMPL, "err", K::CPU);
       s.refuse([&] { cpu.impl("f", dispatch(K::CUDA, &one)); });
       s.accept([&] { cpu.impl("f", dispatch(K::CPU, &one)); });
     }},
    {"GB_LIBRARY and GB_LIBRARY_FRAGMENT in the namespace _",
     [](Scene& s) {
       s.refuse([] { block(Library::DEF, "_"); });
       s.refuse([] { block(Library::FRAGMENT, "_"); });
     }},
    {"a kernel of another arity: the def was there first",
     [](Scene& s) {
       s.library.def("f(Tensor x) -> Tensor", "err/ops.cc", 2);
       s.refuse([&] { s.library.impl("f", K::CPU, &two, "err/cpu.cc", 3); });
       s.accept([&] { s.library.impl("f", K::CPU, &one, "err/cpu.cc", 3); });  // PyTorch blames this one
       s.accept([] { f_of().redispatch(DispatchKeySet(K::CPU), tensor()); });
     }},
    {"a kernel of another arity: the kernel was there first",
     [](Scene& s) {
       s.library.impl("f", K::CPU, &two, "err/cpu.cc", 3);
       s.refuse([&] { s.library.def("f(Tensor x) -> Tensor", "err/ops.cc", 2); });
       s.accept([&] { s.library.def("f(Tensor x, Tensor y) -> Tensor", "err/ops.cc", 2); });
     }},
    {"a kernel with another type of argument, of return, and another number of returns",
     [](Scene& s) {
       s.library.def("f(Tensor x, float by) -> Tensor", "err/ops.cc", 2)
           .def("g(Tensor x) -> Tensor", "err/ops.cc", 3);
       s.refuse([&] { s.library.impl("f", K::CPU, &counted, "err/cpu.cc", 4); });
       s.refuse([&] { s.library.impl("g", K::CPU, &number, "err/cpu.cc", 5); });
       s.refuse([&] { s.library.impl("g", K::CPU, &both, "err/cpu.cc", 6); });
       s.accept([&] { s.library.impl("f", K::CPU, &scaled).impl("g", K::CPU, &one); });
     }},
    {"two kernels with different C++ signatures",
     [](Scene& s) {
       s.library.def("f(Tensor x) -> Tensor").impl("f", K::CPU, &one, "err/cpu.cc", 3);
       s.refuse([&] { s.library.impl("f", K::CUDA, &by_value, "err/cuda.cc", 4); });
       s.accept([&] { s.library.impl("f", K::CUDA, &one, "err/cuda.cc", 4); });
     }},
    {"a def with a kernel that does not fit it",
     [](Scene& s) {
       s.refuse([&] { s.library.def("f(Tensor x) -> Tensor", &two, {}, "err/ops.cc", 2); });
       s.accept([&] { s.library.def("f(Tensor x) -> Tensor", &one, {}, "err/ops.cc", 2); });
     }},
    {"a boxed kernel with a name instead of a schema",
     [](Scene& s) {
       s.refuse([&] { s.library.def("f", boxed_kernel(), {}, "err/ops.cc", 2); });
       s.accept([&] { s.library.def("f(Tensor x) -> Tensor", boxed_kernel(), {}, "err/ops.cc", 2); });
     }},
    {"a kernel for a functionality without a backend",
     [](Scene& s) {
       s.library.def("f(Tensor x) -> Tensor");
       s.refuse([&] { s.library.impl("f", K::AutogradFunctionality, &one, "err/autograd.cc", 3); });
       s.accept([&] { s.library.impl("f", K::AutogradCPU, &one).impl("f", K::Autograd, &one); });
     }},
    {"a second kernel for a key: a warning each time, an error under GB_STRICT=1",
     [](Scene& s) {
       s.library.def("f(Tensor x) -> Tensor").impl("f", K::CPU, &one, "err/cpu.cc", 3);
       ::setenv("GB_STRICT", "1", 1);
       s.refuse([&] { s.library.impl("f", K::CPU, &one, "err/again.cc", 4); });
       ::unsetenv("GB_STRICT");
       s.warn([&] { s.library.impl("f", K::CPU, &one, "err/again.cc", 4); });
       s.warn([&] { s.library.impl("f", K::CPU, &one, "err/third.cc", 5); });
     }},
};

// --- what PyTorch has no error for, or checks too late
const Case kSchemas[] = {
    {"a def that a listener refuses",
     [](Scene& s) {
       {
         const RegistrationHandleRAII listening =
             Dispatcher::singleton().addRegistrationListener(std::make_unique<Refusing>());
         s.refuse([&] { s.library.def("f(Tensor x) -> Tensor"); });
         s.accept([&] { s.library.def("g(Tensor x) -> Tensor"); });
       }
       s.accept([&] { s.library.def("f(Tensor x) -> Tensor"); });
     }},
    {"two arguments of one name",
     [](Scene& s) {
       s.refuse([&] { s.library.def("f(Tensor x, Tensor x) -> Tensor"); });
       s.accept([&] { s.library.def("f(Tensor x, Tensor y) -> Tensor"); });
     }},
    {"a default before an argument that has none (PyTorch 1.13 crashes)",
     [](Scene& s) {
       s.refuse([&] { s.library.def("f(int y=3, Tensor z) -> Tensor"); });
       s.accept([&] { s.library.def("f(Tensor z, int y=3) -> Tensor"); });
     }},
    {"a returned alias set that no argument has",
     [](Scene& s) {
       s.refuse([&] { s.library.def("f(Tensor(a) x) -> Tensor(b)"); });
       s.accept([&] { s.library.def("f(Tensor(a) x) -> Tensor(a)"); });
     }},
    {"a type that does not exist",
     [](Scene& s) {
       s.refuse([&] { s.library.def("f(Tensor x, Tensr y) -> Tensor"); });
       s.accept([&] { s.library.def("f(Tensor x, Tensor y) -> Tensor"); });
     }},
};

// --- lookup and call
const Case kCalls[] = {
    {"an operator that nobody registered; another overload; kernels without a def",
     [](Scene& s) {
       s.library.def("f.two(Tensor x, Tensor y) -> Tensor").impl("g", K::CPU, &one, "err/cpu.cc", 3);
       s.refuse([] { find("err::h"); });
       s.refuse([] { find("err::f"); });
       s.refuse([] { find("err::g"); });
       s.accept([] { find("err::f", "two"); });
     }},
    {"typed() with another signature",
     [](Scene& s) {
       s.library.def("f(Tensor x) -> Tensor").impl("f", K::CPU, &one);
       s.refuse([] { find("err::f").typed<Tensor(Tensor)>(); });
       s.accept([] { find("err::f").typed<Unary>(); });
     }},
    {"typed() that does not fit the schema, where no kernel has a C++ signature",
     [](Scene& s) {
       s.library.def("f(Tensor x) -> Tensor", "err/ops.cc", 2)
           .impl("f", K::CPU, boxed_kernel(), "err/cpu.cc", 3);
       s.refuse([] { find("err::f").typed<Tensor(const Tensor&, const Tensor&)>(); });
       s.accept([] { find("err::f").typed<Unary>(); });
     }},
    {"a kernel of another C++ signature than that of a typed handle",
     [](Scene& s) {
       s.library.def("f(Tensor x) -> Tensor");
       s.accept([] { find("err::f").typed<Unary>(); });
       s.refuse([&] { s.library.impl("f", K::CPU, &by_value, "err/cpu.cc", 3); });
       s.accept([&] { s.library.impl("f", K::CPU, &one, "err/cpu.cc", 3); });
     }},
    {"no kernel: an argument brought the key",
     [](Scene& s) {
       s.library.def("f(Tensor x, Tensor[] ys) -> Tensor")
           .impl(
               "f", K::CPU, [](const Tensor& x, TensorList) { return x; }, "err/cpu.cc", 3);
       s.library.impl(
           "f", K::Autograd, [](const Tensor& x, TensorList) { return x; }, "err/autograd.cc", 4);
       const auto f = find("err::f").typed<Tensor(const Tensor&, TensorList)>();
       const AutoDispatchBelowAutograd guard;
       s.refuse([&] { f.call(tensor(), {tensor(), tensor(K::CUDA)}); });
       s.accept([&] { f.call(tensor(), {tensor()}); });
     }},
    {"no kernel: the thread brought the key; the kernel that called on asked for it; no kernel at all",
     [](Scene& s) {
       s.library.def("f(Tensor x) -> Tensor").impl("f", K::CPU, &one, "err/cpu.cc", 3);
       s.library.def("g(Tensor x) -> Tensor");
       {
         const impl::IncludeDispatchKeyGuard guard(K::TESTING_ONLY_GenericMode);
         s.refuse([] { f_of().call(tensor()); });
       }
       s.refuse([] { f_of().redispatch(DispatchKeySet(K::CUDA), tensor()); });
       s.refuse([] { f_of("err::g").call(tensor()); });
     }},
    {"no tensor arguments",
     [](Scene& s) {
       s.library.def("f(Tensor x) -> Tensor").impl("f", K::CPU, &one, "err/cpu.cc", 3);
       s.library.impl("f", K::Autograd, CppFunction::makeFallthrough(), "err/autograd.cc", 4);
       s.refuse([] { f_of().call(Tensor()); });
       s.library.impl("f", K::CompositeExplicitAutograd, &one);
       s.accept([] { f_of().call(Tensor()); });
     }},
    {"a kernel that refuses every call",
     [](Scene& s) {
       s.library.def("f(Tensor x) -> Tensor").impl("f", K::CPU, CppFunction::makeNamedNotSupported());
       const AutoDispatchBelowAutograd guard;
       s.refuse([] { f_of().call(tensor()); });
     }},
    {"a handle whose operator is gone: typed, boxed, and its schema",
     [](Scene& s) {
       s.library.def("f(Tensor x) -> Tensor").impl("f", K::CPU, &one);
       const auto f = f_of();
       s.library.reset();
       s.refuse([&] { f.call(tensor()); });
       Stack stack{tensor()};
       s.refuse([&] { f.callBoxed(&stack); });
       s.refuse([&] { f.schema(); });
     }},
    {"a fallthrough in the slot of calls without tensors, which no mask covers",
     [](Scene& s) {
       s.library.def("f(Tensor x) -> Tensor");
       s.library.impl("f", K::CompositeExplicitAutograd, CppFunction::makeFallthrough());
       s.refuse([] { f_of().call(Tensor()); });
     }},
    {"a redispatch to a fallthrough",
     [](Scene& s) {
       s.library.def("f(Tensor x) -> Tensor").impl("f", K::CPU, &one);
       s.library.impl("f", K::Autograd, CppFunction::makeFallthrough());
       s.refuse([] { f_of().redispatch(DispatchKeySet({K::CPU, K::AutogradCPU}), tensor()); });
       s.accept([] {
         f_of().redispatch(DispatchKeySet({K::CPU, K::AutogradCPU}) & after_autograd_keyset, tensor());
       });
     }},
    {"a boxed call with too few arguments, and with a value of another type",
     [](Scene& s) {
       s.library.def("f(Tensor x, float by) -> Tensor").impl("f", K::CPU, &scaled);
       const AutoDispatchBelowAutograd guard;
       Stack few{tensor()};
       s.refuse([&] { find("err::f").callBoxed(&few); });
       CHECK(few.size() == 1);
       Stack other{tensor(), IValue("text")};
       s.refuse([&] { find("err::f").callBoxed(&other); });
       Stack right{tensor(), 2.0};
       s.accept([&] { find("err::f").callBoxed(&right); });
     }},
    {"a boxed call of a boxed kernel without a schema",
     [](Scene& s) {
       s.library.impl("f", K::CPU, boxed_kernel(), "err/cpu.cc", 3);
       const OperatorHandle f = *Dispatcher::singleton().findOp({"err::f", ""});
       Stack stack{tensor()};
       s.refuse([&] { f.callBoxed(&stack); });
       s.library.def("f(Tensor x) -> Tensor");
       const AutoDispatchBelowAutograd guard;
       s.accept([&] { f.callBoxed(&stack); });
     }},
    {"AutogradOther, where a composite kernel and one of its backends could both be meant",
     [](Scene& s) {
       s.library.def("f(Tensor x) -> Tensor").impl("f", K::CompositeImplicitAutograd, &one, "err/f.cc", 3);
       s.library.impl("f", K::FPGA, &one, "err/fpga.cc", 4);
       const Tensor on_fpga = gb::detail::make_tensor(DispatchKeySet({K::FPGA, K::AutogradOther}),
                                                      TypeMeta(kFloat), std::nullopt);
       s.refuse([&] { f_of().call(on_fpga); });
       s.library.impl("f", K::AutogradOther, CppFunction::makeFallthrough());
       s.accept([&] { f_of().call(on_fpga); });
     }},
    {"a boxed call for a key that has no kernel itself; the slot of an alias key",
     [](Scene& s) {
       s.library.def("f(Tensor x) -> Tensor").impl("f", K::Autograd, &one, "err/autograd.cc", 3);
       const OperatorHandle f = find("err::f");
       Stack stack{tensor()};
       s.refuse([&] { f.callBoxedForDispatchKey(K::AutogradCPU, stack); });
       s.accept([&] { f.callBoxedForDispatchKey(K::Autograd, stack); });
       s.refuse([&] { f.hasComputedKernelForDispatchKey(K::Autograd); });
       s.accept([&] { f.hasComputedKernelForDispatchKey(K::AutogradCPU); });
     }},
};

template <size_t N>
std::string play(const Case (&cases)[N]) {
  std::string text;
  for (const Case& c : cases) {
    CAPTURE(c.title);
    Scene scene;
    c.play(scene);
    text += fmt::format("--- {}\n{}\n", c.title, scene.texts());
    CHECK(scene.texts().find("no error\n") == std::string::npos);
  }
  return text;
}

}  // namespace

TEST_CASE("errors: every text, and nothing changed by what was refused") {
  const std::string before = registry();
  const std::string text = play(kRegistration) + play(kSchemas) + play(kCalls);
  CHECK(registry() == before);
  tests::check_golden("dispatcher/testdata/errors.golden", text);
}
