// explain: why a call of an operator, with arguments of a given key set, runs the kernel it runs.
//
// The same derivation as the call makes, on the same table and with this thread's TLS, but told step by step:
//   ((arguments | TLS include) - TLS exclude) & mask  ->  highest key  ->  slot  ->  kernel, and by which rule.
// Nothing is called. `gb explain OP KEYS` prints it. Rules: reference of dispatch_table.cc, chapter kDispatch.
#pragma once

#include <string>
#include <vector>

#include "dispatcher/operator_handle.h"

namespace gb {

struct DispatchExplanation {
  OperatorName op{"", ""};
  DispatchKeySet arguments;                 // OR of the tensor arguments' key sets
  DispatchKeySet included, excluded, mask;  // of this thread, and of the operator
  DispatchKeySet result;                    // what the kernel receives
  DispatchKey key = DispatchKey::Undefined;  // highest key of `result`
  int slot = 0;
  impl::SlotReason reason = impl::SlotReason::kMissing;
  std::vector<std::string> rules;  // one line per rule of precedence up to the one that decided
  std::string kernel;              // "unboxed", "boxed", "fallthrough"
  std::string registered;          // where: "ops/mm/cpu.cc:41"

  std::string text() const;  // the whole derivation as lines
};

DispatchExplanation explain_dispatch(const OperatorHandle& op, DispatchKeySet arguments);
std::string explain(const OperatorHandle& op, DispatchKeySet arguments);  // its text

}  // namespace gb
