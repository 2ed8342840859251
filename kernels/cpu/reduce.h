// reduce: sum, mean, amax, amin, any, all or prod of `in` over some of its dimensions.
//
// The space is split by the caller: `kept` walks the output (operand 0 = out, 1 = in), `reduced` walks, for
// each kept element, the inputs that go into it (operand 0 = in). No dimension order is required.
//
//   sum of in [B, C] (contiguous) over dim 0:  kept = {C: out 1, in 1}, reduced = {B: C}
//
// dtypes: sum, prod: floating -> the same, int32/int64/bool -> int64; mean: floating -> the same; amax, amin:
// all seven -> the same; any, all: all seven -> bool. Half and BFloat16 accumulate in float and round once. Accuracy: floating sums are pairwise:
// runs of at most 16 steps of a register of accumulators, and the partial sums are added as a balanced tree
// (error grows with log n, not with n); rows of a space that does not coalesce are combined in double.
// Integer sums and products wrap. NaN: amax and amin give NaN if any input is NaN; for any and all it is true. Empty
// `reduced`: sum 0, mean NaN, any 0, all and prod 1; amax and amin are a ValueError.
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/dispatch_stub.h"
#include "kernels/cpu/strided.h"

namespace gb::cpu {

enum class ReduceOp : int8_t { Sum, Mean, AMax, AMin, Any, All, Prod };
const char* toString(ReduceOp op);

// kept, reduced: sorted and coalesced, ndim >= 1, not empty (see reduce.cc).
using ReduceFn = void (*)(void* out, const void* in, const Strided<2>& kept, const Strided<1>& reduced);

GB_CPU_KERNEL(reduce_fn,
              ReduceFn(ReduceOp op, ScalarType in_dtype, ScalarType out_dtype));  // nullptr: not supported

void reduce(ReduceOp op, ScalarType out_dtype, void* out, ScalarType in_dtype, const void* in,
            const Strided<2>& kept, const Strided<1>& reduced);

}  // namespace gb::cpu
