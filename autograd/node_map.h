// NodeMap: Node* -> a small number, for the length of one backward pass. Open addressing in one block of
// memory: two reads per lookup and no allocation per node, where std::unordered_map has one for each.
#pragma once

#include <cstdint>
#include <vector>

namespace gb::autograd {

struct Node;

class NodeMap {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  NodeMap() : slots_(16) {}

  // The number of `node`; kNone where it is not in the map.
  uint32_t find(const Node* node) const {
    for (size_t i = first_slot(node);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].node == node) return slots_[i].number;
      if (!slots_[i].node) return kNone;
    }
  }
  // The number of `node`, which becomes `number` where it has none yet.
  uint32_t find_or_insert(const Node* node, uint32_t number) {
    if (2 * count_ >= slots_.size()) grow();
    size_t i = first_slot(node);
    for (; slots_[i].node; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].node == node) return slots_[i].number;
    }
    slots_[i] = {node, number};
    ++count_;
    return number;
  }

 private:
  struct Slot {
    const Node* node = nullptr;
    uint32_t number = kNone;
  };
  size_t first_slot(
      const Node* node) const {  // multiplicative hashing: the upper half of the product is well mixed
    return ((reinterpret_cast<uintptr_t>(node) >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 32) &
           (slots_.size() - 1);
  }
  void grow() {
    std::vector<Slot> old(4 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (!slot.node) continue;
      size_t i = first_slot(slot.node);
      while (slots_[i].node) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two of them, at most half full
  size_t count_ = 0;
};

}  // namespace gb::autograd
