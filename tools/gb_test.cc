#include <doctest/doctest.h>

#include <cctype>

#include "autograd/inference_mode.h"
#include "dispatcher/dispatcher.h"
#include "dispatcher/explain.h"
#include "dispatcher/library.h"
#include "tests/golden.h"
#include "tools/gb_commands.h"

using gb::tools::Output;
using gb::tools::run_gb;

namespace {

// An operator with two tensors, of which the demo has none.
GB_LIBRARY_FRAGMENT(demo, m) { m.def("pair(Tensor x, Tensor y) -> Tensor"); }
GB_LIBRARY_IMPL(demo, CPU, m) {
  m.impl("pair", [](const gb::Tensor& x, const gb::Tensor&) { return x; });
}
GB_LIBRARY_IMPL(demo, Autograd, m) { m.impl("pair", gb::CppFunction::makeFallthrough()); }

// Line numbers of source files as N, so that editing one does not change the expected text.
std::string normalised(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (out.size() < 4 || out.compare(out.size() - 4, 4, ".cc:") != 0) continue;
    out += 'N';
    while (i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1]))) ++i;
  }
  return out;
}

}  // namespace

TEST_CASE("gb: --help, nothing, an unknown command, a wrong number of arguments") {
  const Output help = run_gb({"--help"});
  CHECK(help.exit_code == 0);
  CHECK(help.out.find("gb explain OP KEYS") != std::string::npos);
  CHECK(run_gb({}).exit_code == 2);
  CHECK(run_gb({}).err == help.out);
  const Output unknown = run_gb({"tabel", "aten::mm"});
  CHECK(unknown.exit_code == 2);
  CHECK(unknown.out.empty());
  CHECK(unknown.err == "gb: there is no command \"tabel\" (ops, table, explain, schema, layout; gb --help says more)\n");
  const Output few = run_gb({"explain", "demo::scale"});
  CHECK(few.exit_code == 2);
  CHECK(few.err == "gb explain: 1 argument(s) given\nusage: gb explain OP KEYS\n");
}

TEST_CASE("gb ops: all, and by a part of the name") {
  CHECK(run_gb({"ops"}).out.find("demo::affine(Tensor x, float scale, float shift) -> Tensor\n") != std::string::npos);
  const Output some = run_gb({"ops", "shift"});
  CHECK(some.exit_code == 0);
  CHECK(some.out == "demo::shift_(Tensor(a!) self, float by) -> Tensor(a!)\n1 of 4 operators\n");
  CHECK(run_gb({"ops", "no such"}).out == "0 of 4 operators\n");
}

TEST_CASE("gb table: golden") {
  const Output output = run_gb({"table", "demo::shift_"});
  CHECK(output.exit_code == 0);
  CHECK(normalised(output.out) ==
        "registered:\n"
        "name: demo::shift_\n"
        "schema: demo::shift_(Tensor(a!) self, float by) -> Tensor(a!)\n"
        "debug: tools/demo_ops.cc:N\n"
        "ADInplaceOrView: tools/demo_ops.cc:N [unboxed]\n"
        "CPU: tools/demo_ops.cc:N [unboxed]\n"
        "Autograd: tools/demo_ops.cc:N [fallthrough]\n"
        "\n"
        "the table that follows (keys without a kernel are left out):\n"
        "CPU                   kernel for this key                unboxed     tools/demo_ops.cc:N\n"
        "BackendSelect         backend fallback                   fallthrough dispatcher/dispatch_mode.cc:N\n"
        "Python                backend fallback                   boxed       dispatcher/dispatch_mode.cc:N\n"
        "Functionalize         backend fallback                   fallthrough dispatcher/dispatch_mode.cc:N\n"
        "ADInplaceOrView       kernel for this key                unboxed     tools/demo_ops.cc:N\n"
        "AutogradOther         Autograd alias kernel              fallthrough tools/demo_ops.cc:N\n"
        "AutogradCPU           Autograd alias kernel              fallthrough tools/demo_ops.cc:N\n"
        "AutogradCUDA          Autograd alias kernel              fallthrough tools/demo_ops.cc:N\n"
        "AutogradXLA           Autograd alias kernel              fallthrough tools/demo_ops.cc:N\n"
        "AutogradLazy          Autograd alias kernel              fallthrough tools/demo_ops.cc:N\n"
        "AutogradPrivateUse1   Autograd alias kernel              fallthrough tools/demo_ops.cc:N\n"
        "AutogradMeta          Autograd alias kernel              fallthrough tools/demo_ops.cc:N\n"
        "Tracer                backend fallback                   fallthrough dispatcher/dispatch_mode.cc:N\n"
        "AutocastCPU           backend fallback                   fallthrough dispatcher/dispatch_mode.cc:N\n"
        "AutocastCUDA          backend fallback                   fallthrough dispatcher/dispatch_mode.cc:N\n"
        "AutocastXLA           backend fallback                   fallthrough dispatcher/dispatch_mode.cc:N\n"
        "AutocastLazy          backend fallback                   fallthrough dispatcher/dispatch_mode.cc:N\n"
        "AutocastPrivateUse1   backend fallback                   fallthrough dispatcher/dispatch_mode.cc:N\n"
        "AutocastMeta          backend fallback                   fallthrough dispatcher/dispatch_mode.cc:N\n");
  const std::string why = normalised(run_gb({"table", "demo::scale", "--why"}).out);
  CHECK(why.find("CPU                   kernel for this key                unboxed     tools/demo_ops.cc:N\n"
                 "                        1. kernel for CPU                    decides\n") != std::string::npos);
}

TEST_CASE("gb explain: golden, by device and by keys") {
  const std::string expected =
      "demo::scale\n"
      "    arguments    {CPU, ADInplaceOrView, AutogradCPU, AutocastCPU}\n"
      "  | TLS include  {BackendSelect, ADInplaceOrView}\n"
      "  - TLS exclude  {AutocastFunctionality}\n"
      "  & mask         all but {BackendSelect, Functionalize, ADInplaceOrView, Tracer, AutocastFunctionality}, which are fallthroughs "
      "here\n"
      "  = key set      {CPU, AutogradCPU}\n"
      "  key            AutogradCPU, the highest; slot 25\n"
      "  rules          1. kernel for AutogradCPU            none is registered\n"
      "                 2. CompositeExplicitAutograd kernel  none is registered\n"
      "                 3. CompositeImplicitAutograd kernel  none is registered\n"
      "                 4. Autograd alias kernel             decides\n"
      "  reason         Autograd alias kernel\n"
      "  kernel         unboxed, tools/demo_ops.cc:N\n";
  CHECK(normalised(run_gb({"explain", "demo::scale", "cpu"}).out) == expected);
  CHECK(normalised(run_gb({"explain", "demo::scale", "CPU,ADInplaceOrView,AutogradCPU,AutocastCPU"}).out) == expected);
  CHECK(run_gb({"explain", "demo::scale", "Meta"}).out.find("reason         missing\n") != std::string::npos);
  CHECK(run_gb({"explain", "demo::affine", "AutogradMeta"}).out.find("3. CompositeImplicitAutograd kernel  decides") !=
        std::string::npos);
}

TEST_CASE("gb table --with and --without: the slots that would change, golden") {
  const Output with = run_gb({"table", "demo::affine", "--with", "CPU"});
  CHECK(with.exit_code == 0);
  CHECK(normalised(with.out) ==
        "demo::affine: 2 of 40 slots change\n"
        "CPU\n"
        "  - CompositeImplicitAutograd kernel   unboxed     tools/demo_ops.cc:N\n"
        "  + kernel for this key                boxed       what if\n"
        "    kernel for CPU comes before CompositeImplicitAutograd kernel\n"
        "AutogradCPU\n"
        "  - CompositeImplicitAutograd kernel   unboxed     tools/demo_ops.cc:N\n"
        "  + missing                            none        nothing is registered\n"
        "    CompositeImplicitAutograd kernel: there is one (tools/demo_ops.cc:N), but the backend has a kernel of its own, so the "
        "call must not decompose\n");
  CHECK(normalised(run_gb({"table", "demo::scale", "--without", "CPU"}).out) ==
        "demo::scale: 1 of 40 slots change\n"
        "CPU\n"
        "  - kernel for this key                unboxed     tools/demo_ops.cc:N\n"
        "  + missing                            none        nothing is registered\n"
        "    kernel for CPU: none is registered\n");
  CHECK(run_gb({"table", "demo::scale", "--with", "CUDA=fallthrough", "--without", "CPU"}).out.find(
            "CUDA\n"
            "  - missing                            none        nothing is registered\n"
            "  + kernel for this key                fallthrough what if\n"
            "    there was no kernel\n") != std::string::npos);
  CHECK(run_gb({"table", "demo::scale", "--without", "CUDA"}).exit_code == 1);
  CHECK(run_gb({"table", "demo::scale", "--with"}).exit_code == 2);
}

TEST_CASE("gb explain: several tensors, and none") {
  const std::string two = run_gb({"explain", "demo::pair", "cpu,cuda"}).out;
  CHECK(two.find("    x            {CPU, ADInplaceOrView, AutogradCPU, AutocastCPU}\n"
                 "  | y            {CUDA, ADInplaceOrView, AutogradCUDA, AutocastCUDA}\n") != std::string::npos);
  CHECK(two.find("  key            CUDA, the highest, of y; slot 2\n") != std::string::npos);
  CHECK(run_gb({"explain", "demo::pair", "cpu", "CUDA,AutogradCUDA"}).out.find("  | y            {CUDA, AutogradCUDA}\n") !=
        std::string::npos);
  const Output three = run_gb({"explain", "demo::pair", "cpu,cpu,cpu"});
  CHECK(three.exit_code == 1);
  CHECK(three.err.find("explain: 3 tensors given, demo::pair has 2 tensor argument(s)\n") == 0);
  const std::string none = run_gb({"explain", "demo::scale", "none"}).out;
  CHECK(none.find("    no tensors   {}\n") != std::string::npos);
  CHECK(none.find("  key            Undefined, the highest; slot 0\n") != std::string::npos);
}

TEST_CASE("gb explain: on a thread in another state, as the guards make it") {
  using namespace gb;
  const OperatorHandle scale = Dispatcher::singleton().findSchemaOrThrow("demo::scale", "");
  const DispatchKeySet cpu({DispatchKey::CPU, DispatchKey::ADInplaceOrView, DispatchKey::AutogradCPU, DispatchKey::AutocastCPU});
  const auto asked = [](const char* flag) { return run_gb({"explain", "demo::scale", "cpu", flag}).out; };
  const std::string plain = explain(scale, cpu);
  {
    const InferenceMode guard;
    CHECK(asked("--inference") == explain(scale, cpu));
  }
  CHECK(asked("--inference") != plain);
  {
    const AutoDispatchBelowAutograd guard;
    CHECK(asked("--below-autograd") == explain(scale, cpu));
  }
  {
    const impl::IncludeDispatchKeyGuard guard(DispatchKey::Python);
    CHECK(run_gb({"explain", "demo::scale", "CPU", "--mode"}).out == explain(scale, DispatchKeySet(DispatchKey::CPU)));
  }
  CHECK(asked("--autocast").find("  - TLS exclude  {}\n") != std::string::npos);
  CHECK(asked("--no-grad-mode") == plain + "  no-grad mode   changes no key: the Autograd kernel runs, and records nothing\n");
  CHECK(run_gb({"explain", "demo::scale", "cpu", "--exclude", "AutogradCPU", "--include", "Tracer"}).out.find(
            "  | TLS include  {BackendSelect, ADInplaceOrView, Tracer}\n"
            "  - TLS exclude  {AutogradCPU, AutocastCPU}\n") != std::string::npos);
  CHECK(explain(scale, cpu) == plain);  // and as it was
  CHECK(asked("--bf16").empty());
  CHECK(run_gb({"explain", "demo::scale", "cpu", "--bf16"}).err.find("gb explain: --bf16 is no flag of this command") == 0);
}

TEST_CASE("gb layout: the word and the row, as docs/*/theory/01a-dispatch-layout.md quotes them") {
  gb::tests::check_golden("tools/testdata/layout.golden", run_gb({"layout"}).out);
}

TEST_CASE("gb explain: what it refuses") {
  const Output alias = run_gb({"explain", "demo::scale", "CPU,Autograd"});
  CHECK(alias.exit_code == 1);
  CHECK(alias.err.find("explain: Autograd is an alias\n  cause:   a kernel may be registered for it") == 0);
  CHECK(run_gb({"explain", "demo::scale", "CPUU"}).err.find("parseDispatchKey: \"CPUU\" is not a dispatch key") == 0);
  const Output unknown = run_gb({"table", "not_there"});
  CHECK(unknown.exit_code == 1);
  CHECK(unknown.err.find("Could not find schema for aten::not_there\n") == 0);
}

TEST_CASE("gb schema: printed back and described") {
  CHECK(run_gb({"schema", "ns::f.out(Tensor x, int[2] stride=1, *, Tensor[] ys, Tensor(a!) out) -> Tensor(a!)"}).out ==
        "ns::f.out(Tensor x, int[2] stride=1, *, Tensor[] ys, Tensor(a!) out) -> Tensor(a!)\n"
        "name      ns::f\n"
        "overload  out\n"
        "argument  x          Tensor\n"
        "argument  stride     int[], 2 elements (one value stands for all), has a default\n"
        "argument  ys         Tensor[], by keyword only\n"
        "argument  out        Tensor, by keyword only; alias sets (a!): the operator writes it\n"
        "return    0          Tensor; alias sets (a!): the operator writes it\n"
        "writes    at least one argument\n");
  const std::string view = run_gb({"schema", "view(Tensor(a) self) -> Tensor(a) out"}).out;
  CHECK(view.find("argument  self       Tensor; alias sets (a): may share memory within its set\n") != std::string::npos);
  CHECK(view.find("return    out        Tensor; alias sets (a)") != std::string::npos);
  CHECK(view.find("overload  (none)\n") != std::string::npos);
  CHECK(view.find("writes    no argument\n") != std::string::npos);
}

TEST_CASE("gb schema: an error shows the place") {
  const Output bad = run_gb({"schema", "f(Tensor x, Tensr y) -> Tensor"});
  CHECK(bad.exit_code == 1);
  CHECK(bad.err.find("f(Tensor x, Tensr y) -> Tensor") != std::string::npos);
  CHECK(bad.err.find("^") != std::string::npos);
}
