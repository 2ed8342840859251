// explain: why a call of an operator, with arguments of given key sets, runs the kernel it runs.
//
// The same derivation as the call makes, on the same table and with this thread's TLS, but told step by step:
//   ((arguments | TLS include) - TLS exclude) & mask  ->  highest key  ->  slot  ->  kernel, and by which
//   rule.
// Nothing is called. `gb explain OP KEYS` prints it. The slot by itself, and whole tables: explain_table.h.
#pragma once

#include <string>
#include <vector>

#include "dispatcher/explain_table.h"

namespace gb {

struct ArgumentKeys {
  std::string name;
  DispatchKeySet keys;
};

// The slot that is reached, and how.
struct DispatchExplanation : SlotExplanation {
  OperatorName op{"", ""};
  std::vector<ArgumentKeys> per_argument;   // one by one, where they were given so
  DispatchKeySet arguments;                 // OR of the tensor arguments' key sets
  DispatchKeySet included, excluded, mask;  // of this thread, and of the operator
  DispatchKeySet result;                    // what the kernel receives; `key` is its highest
  std::string brought_by;                   // who has that key: "x, y", "TLS include", "no argument"

  std::string text() const;  // the whole derivation as lines
  std::string json() const;
};

DispatchExplanation explain_dispatch(const OperatorHandle& op, DispatchKeySet arguments);
DispatchExplanation explain_dispatch(const OperatorHandle& op, std::vector<ArgumentKeys> arguments);
std::string explain(const OperatorHandle& op, DispatchKeySet arguments);  // its text

}  // namespace gb
