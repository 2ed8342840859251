#include "dispatcher/operator_index.h"

namespace gb::impl {

// Into the first cell that is empty (then the result is true) or holds a removed operator: a reader that passes over the
// cell goes on either way.
bool OperatorIndex::place(const Table& table, OperatorEntry* entry) {
  const OperatorName& name = entry->operator_name();
  for (size_t i = hash_of(name.name, name.overload_name) & table.mask;; i = (i + 1) & table.mask) {
    const OperatorEntry* there = table.cells[i].load(std::memory_order_relaxed);
    if (there && !there->removed()) continue;
    table.cells[i].store(entry, std::memory_order_release);
    return !there;
  }
}

void OperatorIndex::insert(OperatorEntry* entry) {
  if (taken_ * 2 > tables_.back()->mask) make_table();
  if (place(*tables_.back(), entry)) ++taken_;
}

void OperatorIndex::make_table() {
  size_t present = 0, cells = 512;
  if (!tables_.empty()) for_each([&](OperatorEntry&) { ++present; });
  while (cells < present * 4) cells *= 2;
  auto table = std::make_unique<Table>(Table{cells - 1, std::make_unique<std::atomic<OperatorEntry*>[]>(cells)});
  if (!tables_.empty()) for_each([&](OperatorEntry& entry) { place(*table, &entry); });
  taken_ = present;
  table_.store(table.get(), std::memory_order_release);
  tables_.push_back(std::move(table));
}

}  // namespace gb::impl
