// arg_reduce: along one dimension, the largest (or smallest) element and where it stands.
//
// The line has n >= 1 elements, `stride` apart; `others` (lines.h) walks the lines, with the strides of both
// outputs, which are laid out alike. Of equal elements the first counts; the first NaN beats all numbers. All
// seven dtypes.
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/lines.h"

namespace gb::cpu {

enum class Extremum : int8_t { Max, Min };

// values: of `dtype`, or null where nobody asks for them.
void arg_reduce(Extremum which, ScalarType dtype, void* values, int64_t* positions, const void* in, int64_t n,
                int64_t stride, const Strided<2>& others);

}  // namespace gb::cpu
