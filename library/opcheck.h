// opcheck: is an operator registered as its schema promises?
//
//   test_schema                  runs it under SchemaCheckMode: undeclared mutation and aliasing
//   test_autograd_registration   a gradient must come from a kernel at an autograd key, not from a kernel
//   below it test_faketensor              the Meta kernel's results have the sizes, strides, dtype and number
//   of the real ones
//
// Works on any operator, however it was registered. The arguments are copied first (same strides, same
// storage layout), so an operator that misbehaves spoils the copies. Follows torch.library.opcheck; its
// compile tests are not here yet.
#pragma once

#include <string>
#include <vector>

#include "dispatcher/operator_handle.h"

namespace gb {

struct OpcheckResult {
  std::string test;
  enum Outcome { kPassed, kFailed, kSkipped } outcome = kPassed;
  std::string message;  // why it failed or was skipped
};
std::string to_string(const OpcheckResult& result);  // "test_schema: passed"

// Every test, in the order above, also after a failure.
std::vector<OpcheckResult> opcheck_report(const OperatorHandle& op, const std::vector<IValue>& args);

// Throws Error "opcheck(op, ...): test_x failed with ..." at the first failure. `args` may leave out
// arguments that have defaults; wrong arguments are a ValueError or TypeError before anything runs.
std::vector<OpcheckResult> opcheck(const OperatorHandle& op, const std::vector<IValue>& args);

}  // namespace gb
