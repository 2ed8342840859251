// ScalarArg: a number handed to a kernel before the kernel's dtype is known.
//
// Both readings are kept, because an int64 above 2^53 does not fit a double and 0.5 does not fit an int64. A
// floating kernel reads `d`, an integer kernel `i`. A floating value that no int64 holds (NaN too) has i ==
// 0.
#pragma once

#include <cstdint>
#include <type_traits>

namespace gb::cpu {

struct ScalarArg {
  double d;
  int64_t i;

  template <class T>
  requires std::is_arithmetic_v<T>
  constexpr ScalarArg(T v)  // NOLINT: implicit, so that `add(..., 1)` and `fill(..., 0.5)` read well
      : d(static_cast<double>(v)), i(to_int64(v)) {}

 private:
  template <class T>
  static constexpr int64_t to_int64(T v) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<int64_t>(v);
    else
      return v >= -0x1p63 && v < 0x1p63 ? static_cast<int64_t>(v) : 0;
  }
};

}  // namespace gb::cpu
