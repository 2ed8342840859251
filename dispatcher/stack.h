// Stack: what boxed kernels read their arguments from and leave their results on: arguments pushed in order,
// the last one on top. The functions in gb::jit take a Stack& or a Stack*. Names follow ATen/core/stack.h.
#pragma once

#include <iterator>
#include <utility>
#include <vector>

#include "dispatcher/ivalue.h"

namespace gb {

using Stack = std::vector<IValue>;

namespace jit {

using Stack = gb::Stack;

namespace detail {
// Throws IndexError: `function` wanted `wanted` values of a stack that holds fewer.
[[noreturn]] void throw_stack_too_short(const char* function, size_t wanted, size_t size);
inline void need(const Stack& stack, size_t n, const char* function) {
  if (stack.size() < n) [[unlikely]]
    throw_stack_too_short(function, n, stack.size());
}
}  // namespace detail

template <class... Args>
void push(Stack& stack, Args&&... args) {
  (stack.emplace_back(std::forward<Args>(args)), ...);
}
template <class... Args>
void push(Stack* stack, Args&&... args) {
  push(*stack, std::forward<Args>(args)...);
}

inline void drop(Stack& stack, size_t n) {
  detail::need(stack, n, "drop");
  for (; n > 0; --n) stack.pop_back();
}
inline void drop(Stack* stack, size_t n) { drop(*stack, n); }

inline IValue pop(Stack& stack) {
  detail::need(stack, 1, "pop");
  IValue top = std::move(stack.back());
  stack.pop_back();
  return top;
}
inline IValue pop(Stack* stack) { return pop(*stack); }

// The last n, in the order in which they were pushed.
inline std::vector<IValue> pop(Stack& stack, size_t n) {
  detail::need(stack, n, "pop");
  const auto from = stack.end() - static_cast<std::ptrdiff_t>(n);
  std::vector<IValue> popped(std::make_move_iterator(from), std::make_move_iterator(stack.end()));
  stack.erase(from, stack.end());
  return popped;
}

// The i-th of the last n values.
inline IValue& peek(Stack& stack, size_t i, size_t n) {
  detail::need(stack, n, "peek");
  if (i >= n) [[unlikely]]
    detail::throw_stack_too_short("peek", i + 1, n);
  return stack[stack.size() - n + i];
}
inline IValue& peek(Stack* stack, size_t i, size_t n) { return peek(*stack, i, n); }
inline const IValue& peek(const Stack& stack, size_t i, size_t n) {
  return peek(const_cast<Stack&>(stack), i, n);
}

// The last values into these variables, in the order in which they were pushed. Nothing is popped where one has
// another type.
template <class... Ts>
requires(sizeof...(Ts) > 0) void pop(Stack& stack, Ts&... values) {
  size_t i = 0;
  ((values = peek(stack, i++, sizeof...(Ts)).template to<Ts>()), ...);
  drop(stack, sizeof...(Ts));
}

// A look at the last n values; valid until the stack changes.
inline ArrayRef<IValue> last(const Stack& stack, size_t n) {
  detail::need(stack, n, "last");
  return {stack.data() + stack.size() - n, n};
}
inline ArrayRef<IValue> last(const Stack* stack, size_t n) { return last(*stack, n); }

}  // namespace jit
}  // namespace gb
