// OperatorIndex: from a name to its operator, without a lock.
//
// A hash table with open addressing whose cells are atomic pointers. Readers probe from the name's cell to the first empty one.
// A removed operator's cell stays taken (its entry says that it is removed, and readers pass over it) until an insertion
// needs it. A table that is half taken is replaced; the old one is kept, since a reader may still be in it (as are the
// removed operators, each of them larger than its cell). One writer at a time: insert is called with the registry's lock held.
// PyTorch: LeftRight<flat_hash_map> (c10/util/LeftRight.h), two tables and counters of readers.
#pragma once

#include <atomic>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "dispatcher/operator_entry.h"

namespace gb::impl {

class OperatorIndex {
 public:
  OperatorIndex() { make_table(); }

  // Null where there is none. Inline: every part of a lookup by name is a few instructions long.
  [[gnu::always_inline]] inline OperatorEntry* find(std::string_view name, std::string_view overload) const {
    const Table& table = *table_.load(std::memory_order_acquire);
    for (size_t i = hash_of(name, overload) & table.mask;; i = (i + 1) & table.mask) {
      OperatorEntry* entry = table.cells[i].load(std::memory_order_acquire);
      if (!entry) return nullptr;
      const OperatorName& own = entry->operator_name();
      if (equal(own.name, name) && equal(own.overload_name, overload) && !entry->removed()) return entry;
    }
  }
  void insert(OperatorEntry* entry);
  // The operators that are there, in no order.
  template <class F>
  void for_each(F f) const {
    const Table& table = *table_.load(std::memory_order_acquire);
    for (size_t i = 0; i <= table.mask; ++i) {
      OperatorEntry* entry = table.cells[i].load(std::memory_order_acquire);
      if (entry && !entry->removed()) f(*entry);
    }
  }

 private:
  struct Table {
    size_t mask;  // number of cells - 1; the number is a power of two
    std::unique_ptr<std::atomic<OperatorEntry*>[]> cells;
  };
  // Names are hashed and compared eight bytes a step; the last step overlaps the one before. (A name has two or three such
  // words, and to call memcmp would cost more than they do.)
  static uint64_t word_at(std::string_view text, size_t i) {
    uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    return word;
  }
  static bool equal(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    if (a.size() < 8) return a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0;
    for (size_t i = 0; i + 8 < a.size(); i += 8) {
      if (word_at(a, i) != word_at(b, i)) return false;
    }
    return word_at(a, a.size() - 8) == word_at(b, b.size() - 8);
  }
  static uint64_t hash_of(std::string_view text, uint64_t seed) {
    constexpr uint64_t kMix = 0x9e3779b97f4a7c15;
    uint64_t h = (seed ^ text.size()) * kMix;
    if (text.size() >= 8) [[likely]] {
      for (size_t i = 0; i + 8 < text.size(); i += 8) h = (h ^ word_at(text, i)) * kMix, h ^= h >> 32;
      h = (h ^ word_at(text, text.size() - 8)) * kMix;
    } else {
      for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * kMix;
    }
    return h ^ h >> 32;
  }
  static size_t hash_of(std::string_view name, std::string_view overload) {
    const uint64_t h = hash_of(name, 0);
    return overload.empty() ? h : hash_of(overload, h);
  }
  static bool place(const Table& table, OperatorEntry* entry);
  void make_table();  // with the operators that are there, and room for as many again

  std::atomic<const Table*> table_ = nullptr;
  std::vector<std::unique_ptr<Table>> tables_;  // the newest last
  size_t taken_ = 0;                            // cells of the newest table that are not empty
};

}  // namespace gb::impl
