#include "core/type_meta.h"

#include <fmt/format.h>

#include <atomic>

#include "core/error.h"

namespace gb {
namespace {
std::atomic<ScalarType> g_default_dtype{kFloat};
}  // namespace

const char* TypeMeta::name() const {
  switch (type_) {
    case kFloat: return "float";
    case kDouble: return "double";
    case kHalf: return "Half";
    case kBFloat16: return "BFloat16";
    case kLong: return "long";
    case kInt: return "int";
    case kBool: return "bool";
    default: return toString(type_);
  }
}

TypeMeta get_default_dtype() { return g_default_dtype.load(); }

void set_default_dtype(TypeMeta dtype) {
  GB_CHECK_OR_THROW(isFloatingType(dtype.toScalarType()), TypeError,
                    .what = "set_default_dtype: only floating-point types are supported as the default type",
                    .cause = fmt::format("got {}", toString(dtype.toScalarType())),
                    .repair = "use kFloat, kDouble, kHalf or kBFloat16", .chapter = chapters::kTensors);
  g_default_dtype = dtype.toScalarType();
}

}  // namespace gb
