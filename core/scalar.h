// Scalar: one number of unknown type, as operators take it (`alpha=1`). Holds a double, an int64 or a bool.
// Conversions that would lose the value throw ("overflow"), as in c10/core/Scalar.h.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include "core/bfloat16.h"
#include "core/half.h"
#include "core/scalar_type.h"

namespace gb {

class Scalar {
 public:
  Scalar() : Scalar(int64_t{0}) {}
  template <std::floating_point T>
  Scalar(T v) : type_(kDouble) { value_.d = static_cast<double>(v); }
  template <std::integral T>
  Scalar(T v) : type_(std::same_as<T, bool> ? kBool : kLong) { value_.i = static_cast<int64_t>(v); }
  Scalar(Half v) : Scalar(static_cast<float>(v)) {}
  Scalar(BFloat16 v) : Scalar(static_cast<float>(v)) {}

  ScalarType type() const { return type_; }  // Double, Long or Bool
  bool isFloatingPoint() const { return type_ == kDouble; }
  bool isIntegral(bool includeBool) const { return type_ == kLong || (includeBool && type_ == kBool); }
  bool isBoolean() const { return type_ == kBool; }

  double toDouble() const { return isFloatingPoint() ? value_.d : static_cast<double>(value_.i); }
  float toFloat() const;    // throws when the value overflows float
  int64_t toLong() const;   // throws when the value is not representable
  int toInt() const;
  bool toBool() const { return isFloatingPoint() ? value_.d != 0 : value_.i != 0; }
  Half toHalf() const;      // likewise

  template <class T>
  T to() const {
    if constexpr (std::same_as<T, bool>) return toBool();
    else if constexpr (std::same_as<T, double>) return toDouble();
    else if constexpr (std::same_as<T, int>) return toInt();
    else if constexpr (std::same_as<T, Half>) return toHalf();
    else if constexpr (std::integral<T>) return static_cast<T>(toLong());
    else return T(toFloat());
  }

  bool equal(const Scalar& other) const;
  Scalar operator-() const;

 private:
  ScalarType type_;
  union {
    double d;
    int64_t i;
  } value_;
};

std::string to_string(const Scalar& s);  // "1", "0.5", "True"

}  // namespace gb
