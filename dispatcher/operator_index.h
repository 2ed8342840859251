// OperatorIndex: from a name to its operator, without a lock.
//
// A hash table with open addressing whose cells are atomic pointers. Readers probe from the name's cell to the first empty one.
// A removed operator's cell stays taken (its entry says that it is removed, and readers pass over it) until an insertion
// needs it. A table that is half taken is replaced; the old one is kept, since a reader may still be in it (as are the
// removed operators, each of them larger than its cell). One writer at a time: insert is called with the registry's lock held.
// PyTorch: LeftRight<flat_hash_map> (c10/util/LeftRight.h), two tables and counters of readers.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>
#include <vector>

#include "dispatcher/operator_entry.h"

namespace gb::impl {

class OperatorIndex {
 public:
  OperatorIndex() { make_table(); }

  OperatorEntry* find(std::string_view name, std::string_view overload) const;  // null: not there
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
  static bool place(const Table& table, OperatorEntry* entry);
  void make_table();  // with the operators that are there, and room for as many again

  std::atomic<const Table*> table_ = nullptr;
  std::vector<std::unique_ptr<Table>> tables_;  // the newest last
  size_t taken_ = 0;                            // cells of the newest table that are not empty
};

}  // namespace gb::impl
