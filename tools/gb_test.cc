#include <doctest/doctest.h>

#include <cctype>

#include "tools/gb_commands.h"

using gb::tools::Output;
using gb::tools::run_gb;

namespace {

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
  CHECK(unknown.err == "gb: there is no command \"tabel\" (ops, table, explain, schema; gb --help says more)\n");
  const Output few = run_gb({"explain", "demo::scale"});
  CHECK(few.exit_code == 2);
  CHECK(few.err == "gb explain: 1 argument(s) given\nusage: gb explain OP KEYS\n");
}

TEST_CASE("gb ops: all, and by a part of the name") {
  CHECK(run_gb({"ops"}).out.find("demo::affine(Tensor x, float scale, float shift) -> Tensor\n") != std::string::npos);
  const Output some = run_gb({"ops", "shift"});
  CHECK(some.exit_code == 0);
  CHECK(some.out == "demo::shift_(Tensor(a!) self, float by) -> Tensor(a!)\n1 of 3 operators\n");
  CHECK(run_gb({"ops", "no such"}).out == "0 of 3 operators\n");
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
        "AutogradMeta          Autograd alias kernel              fallthrough tools/demo_ops.cc:N\n"
        "AutogradPrivateUse1   Autograd alias kernel              fallthrough tools/demo_ops.cc:N\n"
        "AutocastCPU           backend fallback                   fallthrough dispatcher/dispatch_mode.cc:N\n"
        "AutocastCUDA          backend fallback                   fallthrough dispatcher/dispatch_mode.cc:N\n"
        "AutocastMeta          backend fallback                   fallthrough dispatcher/dispatch_mode.cc:N\n"
        "AutocastPrivateUse1   backend fallback                   fallthrough dispatcher/dispatch_mode.cc:N\n");
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
