// cumsum: along one dimension, the sums of each element and those before it.
//
// Each line has n elements, `out_stride` and `in_stride` apart; `others` (lines.h) walks the lines. Floating
// dtypes and int64, in and out alike: Half and BFloat16 are gathered in float, floats in double; integers
// wrap.
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/lines.h"

namespace gb::cpu {

void cumsum(ScalarType dtype, void* out, const void* in, int64_t n, int64_t out_stride, int64_t in_stride,
            const Strided<2>& others);

}  // namespace gb::cpu
