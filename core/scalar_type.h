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

// Bytes of one element; 0 for Undefined. Four bits for each, in the order of ScalarType, lowest first: a number, not a table,
// so that no object file has to hold it.
constexpr size_t elementSize(ScalarType t) { return uint64_t{0x2184284211} >> (4 * static_cast<unsigned>(t)) & 15; }
static_assert(elementSize(kByte) == 1 && elementSize(kChar) == 1 && elementSize(kShort) == 2 && elementSize(kInt) == 4 &&
              elementSize(kLong) == 8 && elementSize(kHalf) == 2 && elementSize(kFloat) == 4 && elementSize(kDouble) == 8 &&
              elementSize(kBool) == 1 && elementSize(kBFloat16) == 2 && elementSize(ScalarType::Undefined) == 0);

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

const char* toString(ScalarType t);    // "Float", "Long", ... as c10 prints them
const char* dtype_abbr(ScalarType t);  // "f32", "i64", "b8", ... in graphs and logs: torch/utils/_dtype_abbrs.py

}  // namespace gb
