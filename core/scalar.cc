#include "core/scalar.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/error.h"

namespace gb {
namespace {

[[noreturn]] void overflow(const Scalar& s, const char* to) {
  GB_THROW(ValueError, .what = fmt::format("Scalar: value cannot be converted to type {} without overflow", to),
           .cause = fmt::format("the value is {}", to_string(s)),
           .repair = "use a value in the range of the type, or a wider dtype", .chapter = chapters::kTensors);
}

}  // namespace

float Scalar::toFloat() const {
  const double v = toDouble();
  if (std::isfinite(v) && std::abs(v) > std::numeric_limits<float>::max()) overflow(*this, "float");
  return static_cast<float>(v);
}

Half Scalar::toHalf() const {
  constexpr double kLargest = 65504;
  const double v = toDouble();
  if (std::isfinite(v) && std::abs(v) > kLargest) overflow(*this, "Half");
  return Half(static_cast<float>(v));
}

int64_t Scalar::toLong() const {
  if (!isFloatingPoint()) return value_.i;
  // 2^63 is exact in double; everything from -2^63 up to just below 2^63 fits.
  if (!(value_.d >= -9223372036854775808.0 && value_.d < 9223372036854775808.0)) overflow(*this, "int64_t");
  return static_cast<int64_t>(value_.d);
}

int Scalar::toInt() const {
  const int64_t v = toLong();
  if (v < std::numeric_limits<int>::min() || v > std::numeric_limits<int>::max()) overflow(*this, "int");
  return static_cast<int>(v);
}

bool Scalar::equal(const Scalar& other) const {
  if (isFloatingPoint() || other.isFloatingPoint()) return toDouble() == other.toDouble();
  return value_.i == other.value_.i;
}

Scalar Scalar::operator-() const {
  GB_CHECK_OR_THROW(!isBoolean(), TypeError, .what = "Scalar: negation of a bool is not supported",
                    .cause = fmt::format("the value is {}", to_string(*this)),
                    .repair = "negate an int or a double, or use logical not", .chapter = chapters::kTensors);
  if (isFloatingPoint()) return -value_.d;
  return static_cast<int64_t>(-static_cast<uint64_t>(value_.i));  // wraps for INT64_MIN, without undefined behaviour
}

std::string to_string(const Scalar& s) {
  if (s.isBoolean()) return s.toBool() ? "True" : "False";
  if (s.isFloatingPoint()) return fmt::format("{}", s.toDouble());
  return fmt::format("{}", s.toLong());
}

}  // namespace gb
