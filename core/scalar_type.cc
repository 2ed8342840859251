#include "core/scalar_type.h"

namespace gb {

ScalarType promoteTypes(ScalarType a, ScalarType b) {
  if (a == b) return a;
  if (a == ScalarType::Undefined || b == ScalarType::Undefined) return ScalarType::Undefined;
  if (isFloatingType(a) != isFloatingType(b)) return isFloatingType(a) ? a : b;
  if (isFloatingType(a)) {
    if (elementSize(a) == elementSize(b)) return kFloat;  // Half and BFloat16: neither holds the other
    return elementSize(a) > elementSize(b) ? a : b;
  }
  if (a == kBool) return b;
  if (b == kBool) return a;
  if (elementSize(a) == elementSize(b)) return kShort;  // Byte and Char
  if (elementSize(a) > elementSize(b)) return a;
  return b;
}

const char* toString(ScalarType t) {
  switch (t) {
    case kByte: return "Byte";
    case kChar: return "Char";
    case kShort: return "Short";
    case kInt: return "Int";
    case kLong: return "Long";
    case kHalf: return "Half";
    case kFloat: return "Float";
    case kDouble: return "Double";
    case kBool: return "Bool";
    case kBFloat16: return "BFloat16";
    case ScalarType::Undefined: return "Undefined";
  }
  return "Unknown";
}

const char* dtype_abbr(ScalarType t) {
  switch (t) {
    case kInt: return "i32";
    case kLong: return "i64";
    case kHalf: return "f16";
    case kFloat: return "f32";
    case kDouble: return "f64";
    case kBool: return "b8";
    case kBFloat16: return "bf16";
    default: return toString(t);
  }
}

}  // namespace gb
