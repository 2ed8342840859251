// The rows of copy: 49 conversions, built once per instruction set.
#include "kernels/cpu/copy.h"
#include "kernels/cpu/types.h"

namespace gb::cpu::CPU_CAPABILITY {
namespace {

// Half types convert by way of float in both directions; anything to bool is "not zero".
template <class D, class S>
GB_VEC D convert(S s) {
  if constexpr (__is_same(D, bool))
    return Compute<S>(s) != 0;
  else
    return D(static_cast<Compute<D>>(static_cast<Compute<S>>(s)));
}

template <class D, class S>
void convert_row(void* dst_, const void* src_, int64_t n, int64_t sd, int64_t ss) {
  D* dst = static_cast<D*>(dst_);
  const S* src = static_cast<const S*>(src_);
  if (sd == 1 && ss == 1) {
    int64_t i = 0;
    if constexpr (kHasVec<D> && kHasVec<S> && __is_same(Compute<D>, Compute<S>)) {
      for (; i + kLanes<D> <= n; i += kLanes<D>) store(dst + i, load(src + i));
    }
    for (; i < n; ++i) dst[i] = convert<D>(src[i]);
  } else {
    for (int64_t i = 0; i < n; ++i) dst[i * sd] = convert<D>(src[i * ss]);
  }
}

// Same type: bits move, so only the size matters.
template <class Bits>
void move_row(void* dst_, const void* src_, int64_t n, int64_t sd, int64_t ss) {
  Bits* dst = static_cast<Bits*>(dst_);
  const Bits* src = static_cast<const Bits*>(src_);
  if (sd == 1 && ss == 1) {
    if (n > 0) __builtin_memmove(dst, src, sizeof(Bits) * static_cast<uint64_t>(n));
  } else if (sd == 1 && ss == 0 && n > 0) {  // fill
    const Bits value = *src;
    for (int64_t i = 0; i < n; ++i) dst[i] = value;
  } else {
    for (int64_t i = 0; i < n; ++i) dst[i * sd] = src[i * ss];
  }
}

typedef uint8_t Bits8 __attribute__((may_alias));  // may stand for any type of its size
typedef uint16_t Bits16 __attribute__((may_alias));
typedef uint32_t Bits32 __attribute__((may_alias));
typedef uint64_t Bits64 __attribute__((may_alias));

CopyRow move_row_of(ScalarType dtype) {
  switch (elementSize(dtype)) {
    case 1:
      return &move_row<Bits8>;
    case 2:
      return &move_row<Bits16>;
    case 4:
      return &move_row<Bits32>;
    default:
      return &move_row<Bits64>;
  }
}

}  // namespace

CopyRow copy_row(ScalarType dst_dtype, ScalarType src_dtype) {
  if (!isSupportedType(dst_dtype) || !isSupportedType(src_dtype)) return nullptr;
  if (dst_dtype == src_dtype) return move_row_of(dst_dtype);
  return with_type(dst_dtype, [&](auto d) -> CopyRow {
    return with_type(src_dtype, [](auto s) -> CopyRow {
      using D = typename decltype(d)::type;
      using S = typename decltype(s)::type;
      if constexpr (__is_same(D, S))
        return nullptr;  // taken by move_row above
      else
        return &convert_row<D, S>;
    });
  });
}

}  // namespace gb::cpu::CPU_CAPABILITY
