// std::allocator<IValue>: how a Stack gets its memory.
//
// A boxed call makes a Stack and drops it, and the malloc and the free between cost more than the call itself (150
// instructions of 300). So room for up to kValues values comes from the blocks that this thread dropped last
// (core/recycled.h), and Stack stays the std::vector<IValue> that it is in PyTorch: the standard lets a program say how
// its own type is allocated ([namespace.std]). Included by ivalue.h, so that no vector of IValues knows another one.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

#include "core/recycled.h"
#include "dispatcher/ivalue.h"

namespace gb::detail {

// Room for a stack of the usual size. Never an object: only its operators new and delete are used.
struct StackBlock : Recycled<StackBlock> {
  static constexpr size_t kValues = 8;
  alignas(IValue) std::byte room[kValues * sizeof(IValue)];
};

}  // namespace gb::detail

template <>
class std::allocator<gb::IValue> {
 public:
  using value_type = gb::IValue;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using propagate_on_container_move_assignment = true_type;

  constexpr allocator() noexcept = default;
  template <class U>
  constexpr allocator(const allocator<U>&) noexcept {}

  [[nodiscard]] gb::IValue* allocate(size_t n) {
    if (is_small(n)) return static_cast<gb::IValue*>(gb::detail::StackBlock::operator new(sizeof(gb::detail::StackBlock)));
    if (n > static_cast<size_t>(PTRDIFF_MAX) / sizeof(gb::IValue)) throw bad_array_new_length();
    return static_cast<gb::IValue*>(::operator new(n * sizeof(gb::IValue)));
  }
  void deallocate(gb::IValue* values, size_t n) noexcept {
    if (is_small(n)) return gb::detail::StackBlock::operator delete(values, sizeof(gb::detail::StackBlock));
    ::operator delete(values);
  }
  friend constexpr bool operator==(const allocator&, const allocator&) noexcept { return true; }

 private:
  // Under AddressSanitizer every vector has just the memory it asked for, so that reading past its end is found.
  static constexpr bool is_small(size_t n) { return gb::detail::kRecycle && n <= gb::detail::StackBlock::kValues; }
};
