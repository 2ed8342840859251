#include "library/modes/flop_counter_mode.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace gb {
namespace {

// 2 m n k for the product of two matrix arguments.
int64_t product_flops(const IValue& left, const IValue& right) {
  const Tensor &a = left.toTensor(), &b = right.toTensor();  // [m, k], [k, n]
  return 2 * a.size(0) * a.size(1) * b.size(1);
}

struct Formulas {
  std::mutex mutex;
  std::map<std::string, FlopFormula> of{
      {"aten::mm", [](ArrayRef<IValue> in, ArrayRef<IValue>) { return product_flops(in[0], in[1]); }},
      // beta * self is elementwise.
      {"aten::addmm", [](ArrayRef<IValue> in, ArrayRef<IValue>) { return product_flops(in[1], in[2]); }},
  };
};
Formulas& formulas() {
  static Formulas table;
  return table;
}

FlopFormula find_formula(const std::string& op) {
  std::lock_guard lock(formulas().mutex);
  const auto at = formulas().of.find(op);
  return at == formulas().of.end() ? nullptr : at->second;
}

}  // namespace

void register_flop_formula(const std::string& op, FlopFormula formula) {
  std::lock_guard lock(formulas().mutex);
  formulas().of[op] = std::move(formula);
}

void FlopCounterMode::dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
  const std::string name = toString(op.operator_name());
  const FlopFormula formula = find_formula(name);
  if (!formula) {
    if (!decompose(op, ks, stack)) op.redispatchBoxed(ks, stack);
    return;
  }
  const std::vector<IValue> arguments = jit::last(*stack, op.schema().arguments().size()).vec();
  op.redispatchBoxed(ks, stack);
  Count& count = counts_[name];
  ++count.calls;
  count.flops += formula(arguments, jit::last(*stack, op.schema().returns().size()));
}

int64_t FlopCounterMode::get_total_flops() const {
  int64_t total = 0;
  for (const auto& [name, count] : counts_) total += count.flops;
  return total;
}

std::string FlopCounterMode::table() const {
  std::vector<std::pair<std::string, Count>> rows(counts_.begin(), counts_.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](auto& a, auto& b) { return a.second.flops > b.second.flops; });
  std::string text = fmt::format("{:<28} {:>7} {:>16}\n", "operator", "calls", "FLOPs");
  for (const auto& [name, count] : rows)
    text += fmt::format("{:<28} {:>7} {:>16}\n", name, count.calls, count.flops);
  return text + fmt::format("{:<28} {:>7} {:>16}\n", "total", "", get_total_flops());
}

}  // namespace gb
