// dtype to C++ type inside a kernel file: with_type(dtype, visitor) calls visitor(Type<T>{}) for the T that
// stores it.
//
// Returns what the visitor returns, or a default-made value (nullptr, false) for a dtype that is not listed.
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/vec.h"

namespace gb::cpu::CPU_CAPABILITY {

template <class T>
struct Type {
  using type = T;
};

template <class Visitor>
GB_VEC constexpr auto with_floating_type(ScalarType t, Visitor visit) -> decltype(visit(Type<float>{})) {
  switch (t) {
    case kFloat:
      return visit(Type<float>{});
    case kDouble:
      return visit(Type<double>{});
    case kHalf:
      return visit(Type<Half>{});
    case kBFloat16:
      return visit(Type<BFloat16>{});
    default:
      return {};
  }
}

template <class Visitor>
GB_VEC constexpr auto with_type(ScalarType t, Visitor visit) -> decltype(visit(Type<float>{})) {
  switch (t) {
    case kLong:
      return visit(Type<int64_t>{});
    case kInt:
      return visit(Type<int32_t>{});
    case kBool:
      return visit(Type<bool>{});
    default:
      return with_floating_type(t, visit);
  }
}

// Integer arithmetic that wraps: done unsigned, because signed overflow is undefined.
template <class T>
struct UnsignedOf {
  using type = T;
};
template <>
struct UnsignedOf<int32_t> {
  using type = uint32_t;
};
template <>
struct UnsignedOf<int64_t> {
  using type = uint64_t;
};
template <class T>
using Wrapping = typename UnsignedOf<T>::type;

}  // namespace gb::cpu::CPU_CAPABILITY
