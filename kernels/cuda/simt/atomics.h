// Atomics: each returns the old value. No switch falls inside one, so plain code would be right too; the
// compiler's atomic operations tell the thread sanitizer that these accesses do not race with each other.
// Like CUDA's they order nothing else: a value handed to another thread still needs a barrier.
#pragma once

#include <type_traits>

namespace gb::simt {
// *address = change(*address)
template <class T, class F>
T atomic_update(T* address, F change) {
  T old, desired;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  do desired = change(old);
  while (!__atomic_compare_exchange(address, &old, &desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}
template <class T>
using operand = std::type_identity_t<T>;  // converts to the type that the address has
}  // namespace gb::simt

template <class T>
T atomicAdd(T* address, gb::simt::operand<T> value) {
  return gb::simt::atomic_update(address, [&](T old) { return static_cast<T>(old + value); });
}
template <class T>
T atomicSub(T* address, gb::simt::operand<T> value) {
  return gb::simt::atomic_update(address, [&](T old) { return static_cast<T>(old - value); });
}
template <class T>
T atomicMin(T* address, gb::simt::operand<T> value) {
  return gb::simt::atomic_update(address, [&](T old) { return value < old ? value : old; });
}
template <class T>
T atomicMax(T* address, gb::simt::operand<T> value) {
  return gb::simt::atomic_update(address, [&](T old) { return old < value ? value : old; });
}
template <class T>
T atomicAnd(T* address, gb::simt::operand<T> value) {
  return gb::simt::atomic_update(address, [&](T old) { return static_cast<T>(old & value); });
}
template <class T>
T atomicOr(T* address, gb::simt::operand<T> value) {
  return gb::simt::atomic_update(address, [&](T old) { return static_cast<T>(old | value); });
}
template <class T>
T atomicExch(T* address, gb::simt::operand<T> value) {
  return gb::simt::atomic_update(address, [&](T) { return value; });
}
template <class T>
T atomicCAS(T* address, gb::simt::operand<T> expected, gb::simt::operand<T> value) {
  return gb::simt::atomic_update(address, [&](T old) { return old == expected ? value : old; });
}

// Blocks run one after another, and a thread sees what was written before: nothing to do.
inline void __threadfence() {}
inline void __threadfence_block() {}
