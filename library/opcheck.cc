#include "library/opcheck.h"

#include <fmt/format.h>

#include <algorithm>

#include "autograd/node.h"
#include "core/autograd_state.h"
#include "core/error.h"
#include "library/boxed_tensors.h"
#include "library/compile_check.h"
#include "library/fake_contract.h"
#include "library/modes/checking.h"

namespace gb {
namespace {

struct OpcheckFailure : Error {
  using Error::Error;
};

// Each test returns why it was skipped, or nothing.
std::string test_schema(const OperatorHandle& op, const Stack& args) {
  CheckingMode mode({.schema = true, .fake = false});
  Stack stack = copies_of(args);
  const DispatchModeGuard guard(&mode);
  op.callBoxed(stack);
  return "";
}

std::string history_of(const Tensor& t) {
  return t.grad_fn() ? "its grad_fn is " + t.grad_fn()->name() : "it is a leaf that was set to require grad";
}

std::string test_autograd_registration(const OperatorHandle& op, const Stack& args) {
  Stack stack = copies_of(args);
  const std::vector<Tensor> inputs = tensors_in(stack);
  if (std::none_of(inputs.begin(), inputs.end(), [](const Tensor& t) { return t.requires_grad(); })) {
    return "no argument requires grad";
  }
  const DispatchKeySet ks = op.entry().computeDispatchKeySet(op.entry().argument_keys(stack));
  const DispatchKey autograd = getAutogradKeyFromBackend(ks.highestBackendKey());
  for (const DispatchKey k : {autograd, DispatchKey::Autograd, DispatchKey::CompositeImplicitAutograd}) {
    if (op.hasKernelForDispatchKey(k)) return "";
  }
  // Past the autograd keys, as if the fallback there did nothing; what the kernel calls still records.
  op.redispatchBoxed(ks & after_autograd_keyset, &stack);
  const std::vector<Tensor> outputs = tensors_in(stack);
  for (size_t o = 0; o < outputs.size(); ++o) {
    const auto is_output = [&](const Tensor& input) { return input.is_same(outputs[o]); };
    if (!outputs[o].requires_grad() || std::any_of(inputs.begin(), inputs.end(), is_output)) continue;
    GB_THROW(OpcheckFailure,
             .what = fmt::format("{}: incorrectly registered an autograd kernel to a non-Autograd DispatchKey",
                                 toString(op.operator_name())),
             .cause = fmt::format(
                 "contract: without a kernel at {}, Autograd or CompositeImplicitAutograd, no output requires "
                 "grad: {}\n           evidence: output tensor {} requires grad; {}; kernels: {}",
                 toString(autograd), to_string(op.schema()), o, history_of(outputs[o]), op.entry().listKernels()),
             .repair = "register the gradient with register_autograd, or the kernel at CompositeImplicitAutograd",
             .chapter = chapters::kCustomOps);
  }
  return "";
}

std::string test_faketensor(const OperatorHandle& op, const Stack& args) {
  const NoGradGuard no_grad;
  Stack stack = copies_of(args);
  const FakeContract contract(op, stack);
  op.callBoxed(stack);
  contract.check(stack);
  return "";
}

void check_names(const std::vector<std::string>& tests) {
  for (const std::string& test : tests) {
    const bool known = std::find(kOpcheckTests.begin(), kOpcheckTests.end(), test) != kOpcheckTests.end();
    GB_CHECK_OR_THROW(known, ValueError, .what = fmt::format("opcheck: there is no test \"{}\"", test),
                      .cause = "test_utils names it",
                      .repair = fmt::format("choose from {}", fmt::join(kOpcheckTests, ", ")),
                      .chapter = chapters::kCustomOps);
  }
}

std::string run(const std::string& test, const OperatorHandle& op, const Stack& args, const OpcheckOptions& options) {
  if (test == "test_schema") return test_schema(op, args);
  if (test == "test_autograd_registration") return test_autograd_registration(op, args);
  if (test == "test_faketensor") return test_faketensor(op, args);
  return check_compiled(op, args, {options.atol, options.rtol});
}

}  // namespace

OpcheckReport opcheck(const OperatorHandle& op, const std::vector<IValue>& given, const OpcheckOptions& options) {
  check_names(options.test_utils);
  Stack args = given;
  op.schema().checkAndNormalizeInputs(args);
  const AutoGradMode grad_on(true);
  OpcheckReport report;
  for (const std::string& test : kOpcheckTests) {
    if (std::find(options.test_utils.begin(), options.test_utils.end(), test) == options.test_utils.end()) continue;
    try {
      const std::string skipped = run(test, op, args, options);
      report[test] = skipped.empty() ? "SUCCESS" : "SKIPPED: " + skipped;
    } catch (const Error& e) {  // its own message has the other three parts
      const std::string text = fmt::format("opcheck({}, ...): {} failed with {}", toString(op.operator_name()), test,
                                           e.what_without_backtrace());
      if (options.raise_exception) throw Error(GB_SOURCE_LOCATION(), text);
      report[test] = text;
    }
  }
  return report;
}

std::string to_string(const OpcheckReport& report) {
  std::string text;
  for (const std::string& test : kOpcheckTests) {
    const auto found = report.find(test);
    if (found != report.end()) text += fmt::format("{}: {}\n", test, found->second);
  }
  return text;
}

}  // namespace gb
