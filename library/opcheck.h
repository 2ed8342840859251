// opcheck: is an operator registered as its schema promises?
//
//   test_schema                  no undeclared mutation, no undeclared aliasing           schema_contract.h
//   test_autograd_registration   a gradient comes from a kernel at an autograd key, not from a kernel below it
//   test_faketensor              the Meta kernel describes what the real one returns      fake_contract.h
//   test_aot_dispatch_static     compiled code gives the results and gradients of eager   compile_check.h
//
// In this order; a failure says "opcheck(ns::op, ...): test_x failed with", the contract and the evidence. Works on any
// operator, however it was registered. The arguments are copied first (same strides, same shared memory), so an
// operator that misbehaves spoils the copies. Follows torch.library.opcheck. Sizes are constants in compile/, so there
// is no test_aot_dispatch_dynamic.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dispatcher/operator_handle.h"

namespace gb {

inline const std::vector<std::string> kOpcheckTests = {"test_schema", "test_autograd_registration", "test_faketensor",
                                                       "test_aot_dispatch_static"};

struct OpcheckOptions {
  std::vector<std::string> test_utils = kOpcheckTests;  // which tests run; always in the order above
  bool raise_exception = true;                          // at the first failure; else every test runs
  std::optional<double> atol = {}, rtol = {};           // of test_aot_dispatch_static; left out: by dtype
};

// Test -> "SUCCESS", "SKIPPED: <why>", or the message of the failure.
using OpcheckReport = std::map<std::string, std::string>;

// `args` may leave out arguments that have defaults. Wrong arguments are a ValueError or TypeError, a test of another
// name a ValueError, before anything runs.
OpcheckReport opcheck(const OperatorHandle& op, const std::vector<IValue>& args, const OpcheckOptions& options = {});

// One line per test, in their order: "test_schema: SUCCESS".
std::string to_string(const OpcheckReport& report);

}  // namespace gb
