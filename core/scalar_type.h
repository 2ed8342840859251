// ScalarType: what one element of a tensor is. dtype is not a dispatch key: kernels switch on it inside.
//
// Source of the names: c10/core/ScalarType.h. Seven types are supported; Byte, Char and Short are names that other
// code may spell, and every function that would need their storage throws.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gb {

enum class ScalarType : int8_t { Byte, Char, Short, Int, Long, Half, Float, Double, Bool, BFloat16, Undefined };
using Dtype = ScalarType;

inline constexpr ScalarType kByte = ScalarType::Byte, kUInt8 = kByte, kChar = ScalarType::Char, kInt8 = kChar,
                            kShort = ScalarType::Short, kInt16 = kShort, kInt = ScalarType::Int, kInt32 = kInt,
                            kLong = ScalarType::Long, kInt64 = kLong, kHalf = ScalarType::Half, kFloat16 = kHalf,
                            kFloat = ScalarType::Float, kFloat32 = kFloat, kDouble = ScalarType::Double,
                            kFloat64 = kDouble, kBool = ScalarType::Bool, kBFloat16 = ScalarType::BFloat16;

namespace detail {
inline constexpr uint8_t element_sizes[] = {1, 1, 2, 4, 8, 2, 4, 8, 1, 2, 0};  // in the order of ScalarType
}
// Bytes of one element; 0 for Undefined.
constexpr size_t elementSize(ScalarType t) { return detail::element_sizes[static_cast<size_t>(t)]; }

constexpr bool isFloatingType(ScalarType t) {
  return t == kFloat || t == kDouble || t == kHalf || t == kBFloat16;
}
constexpr bool isIntegralType(ScalarType t, bool includeBool) {
  return t == kByte || t == kChar || t == kShort || t == kInt || t == kLong || (includeBool && t == kBool);
}

// The seven types that tensors may have.
constexpr bool isSupportedType(ScalarType t) {
  return isFloatingType(t) || t == kInt || t == kLong || t == kBool;
}

// The smallest type that holds both: bool < integers < floating, wider wins; Half with BFloat16 gives Float.
ScalarType promoteTypes(ScalarType a, ScalarType b);

// May a value of type `from` be stored into a tensor of type `to`? (floating to integral is the case that may not)
constexpr bool canCast(ScalarType from, ScalarType to) {
  if (isFloatingType(from) && !isFloatingType(to)) return false;
  return !(from != kBool && to == kBool);
}

const char* toString(ScalarType t);  // "Float", "Long", ... as c10 prints them

}  // namespace gb
