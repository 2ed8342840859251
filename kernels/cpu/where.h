// where: out = condition ? a : b over a strided space, with broadcasting by stride 0. The condition is bool;
// the other three are of one dtype, of which only the size matters, for bits move.
//
// `out` may be the very memory of `a` or `b` with the same strides (in-place); it must not overlap them
// otherwise.
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/dispatch_stub.h"
#include "kernels/cpu/strided.h"

namespace gb::cpu {

// One row: out[i*so] = c[i*sc] ? a[i*sa] : b[i*sb] for i in [0, n).
using WhereRow = void (*)(void* out, const bool* c, const void* a, const void* b, int64_t n, int64_t so,
                          int64_t sc, int64_t sa, int64_t sb);

GB_CPU_KERNEL(where_row, WhereRow(ScalarType dtype));  // nullptr: not supported

// it: operand 0 = out, 1 = condition, 2 = a, 3 = b.
void where(ScalarType dtype, void* out, const bool* condition, const void* a, const void* b,
           const Strided<4>& it);

}  // namespace gb::cpu
