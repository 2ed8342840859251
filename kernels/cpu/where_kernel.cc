// The rows of where: built once per instruction set.
#include "kernels/cpu/types.h"
#include "kernels/cpu/where.h"

namespace gb::cpu::CPU_CAPABILITY {
namespace {

typedef uint8_t Bits8 __attribute__((may_alias));  // may stand for any type of its size
typedef uint16_t Bits16 __attribute__((may_alias));
typedef uint32_t Bits32 __attribute__((may_alias));
typedef uint64_t Bits64 __attribute__((may_alias));

// One value for the whole row, or memory that advances; "ivdep" holds for out == a and out == b too.
template <class Bits, class A, class B>
GB_VEC void contiguous_row(Bits* out, const bool* c, A a, B b, int64_t n) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    const Bits x = a(i), y = b(i);
    out[i] = c[i] ? x : y;
  }
}

template <class Bits>
void row(void* out_, const bool* c, const void* a_, const void* b_, int64_t n, int64_t so, int64_t sc,
         int64_t sa, int64_t sb) {
  if (n <= 0) return;
  Bits* out = static_cast<Bits*>(out_);
  const Bits *a = static_cast<const Bits*>(a_), *b = static_cast<const Bits*>(b_);
  const Bits first_a = *a, first_b = *b;
  const auto moving_a = [&](int64_t i) { return a[i]; };
  const auto moving_b = [&](int64_t i) { return b[i]; };
  const auto fixed_a = [&](int64_t) { return first_a; };
  const auto fixed_b = [&](int64_t) { return first_b; };
  if (so == 1 && sc == 1 && sa == 1 && sb == 1) return contiguous_row(out, c, moving_a, moving_b, n);
  if (so == 1 && sc == 1 && sa == 0 && sb == 1) return contiguous_row(out, c, fixed_a, moving_b, n);
  if (so == 1 && sc == 1 && sa == 1 && sb == 0) return contiguous_row(out, c, moving_a, fixed_b, n);
  for (int64_t i = 0; i < n; ++i) out[i * so] = c[i * sc] ? a[i * sa] : b[i * sb];
}

}  // namespace

WhereRow where_row(ScalarType dtype) {
  if (!isSupportedType(dtype)) return nullptr;
  switch (elementSize(dtype)) {
    case 1:
      return &row<Bits8>;
    case 2:
      return &row<Bits16>;
    case 4:
      return &row<Bits32>;
    default:
      return &row<Bits64>;
  }
}

}  // namespace gb::cpu::CPU_CAPABILITY
