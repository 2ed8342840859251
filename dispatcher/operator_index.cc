#include "dispatcher/operator_index.h"

#include <cstring>

namespace gb::impl {
namespace {

// Eight bytes a step; the last step overlaps the one before. Inlined, as most names take two steps.
[[gnu::always_inline]] inline uint64_t hash_of(std::string_view text, uint64_t seed) {
  constexpr uint64_t kMix = 0x9e3779b97f4a7c15;
  const char* p = text.data();
  const auto word_at = [&](size_t i) {
    uint64_t word;
    std::memcpy(&word, p + i, 8);
    return word;
  };
  uint64_t h = (seed ^ text.size()) * kMix;
  if (text.size() >= 8) [[likely]] {
    for (size_t i = 0; i + 8 < text.size(); i += 8) h = (h ^ word_at(i)) * kMix, h ^= h >> 32;
    h = (h ^ word_at(text.size() - 8)) * kMix;
  } else {
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * kMix;
  }
  return h ^ h >> 32;
}

[[gnu::always_inline]] inline size_t hash_of(std::string_view name, std::string_view overload) {
  const uint64_t h = hash_of(name, 0);
  return overload.empty() ? h : hash_of(overload, h);
}

bool has_name(const OperatorEntry& entry, std::string_view name, std::string_view overload) {
  const OperatorName& own = entry.operator_name();
  return own.name == name && own.overload_name == overload;
}

}  // namespace

OperatorEntry* OperatorIndex::find(std::string_view name, std::string_view overload) const {
  const Table& table = *table_.load(std::memory_order_acquire);
  for (size_t i = hash_of(name, overload) & table.mask;; i = (i + 1) & table.mask) {
    OperatorEntry* entry = table.cells[i].load(std::memory_order_acquire);
    if (!entry) return nullptr;
    if (has_name(*entry, name, overload) && !entry->removed()) return entry;
  }
}

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
