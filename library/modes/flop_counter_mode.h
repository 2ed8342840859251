// FlopCounterMode: how many floating-point operations the matrix products of its thread make, forward and
// backward.
//
// A multiplication and an addition count as two, so a product of [m, k] and [k, n] is 2 m n k; the shapes
// alone decide, so it works on Meta tensors as well. Operators without a formula count as 0, elementwise ones
// among them: they are bound by memory. An operator that is made of others counts as its parts. One table
// holds the formulas, for the whole program; a custom operator registers its own there. Follows
// torch/utils/flop_counter.py.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "dispatcher/dispatch_mode.h"

namespace gb {

// The operations of one call, from its arguments and results (the values that the schema lists, in order).
using FlopFormula = std::function<int64_t(ArrayRef<IValue> arguments, ArrayRef<IValue> results)>;

// `op` as "ns::name" or "ns::name.overload". Replaces the formula that is there. Safe on every thread.
void register_flop_formula(const std::string& op, FlopFormula formula);

class FlopCounterMode final : public DispatchMode {
 public:
  struct Count {
    int64_t calls = 0, flops = 0;
  };
  void dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) override;
  int64_t get_total_flops() const;
  const std::map<std::string, Count>& get_flop_counts() const { return counts_; }  // operators with a formula
  std::string table() const;                                                       // largest first

 private:
  std::map<std::string, Count> counts_;
};

}  // namespace gb
