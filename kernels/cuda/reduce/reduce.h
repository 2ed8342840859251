// sum, mean, amax, amin, any and all over some dimensions: the CUDA counterpart of kernels/cpu/reduce.h, with the same
// spaces.
//
// `kept` walks the output (operand 0 = out, 1 = in); `reduced` walks, for each kept element, the inputs that
// go into it.
//   sum of in [B, C] (contiguous) over dim 0:  kept = {C: out 1, in 1}, reduced = {B: C}
// Several threads of a block share an output's inputs, then combine as a tree in shared memory; how many, and
// how many outputs a block has, depends on the spaces alone, so the order of the additions is fixed and two runs
// agree bit for bit. Dtypes as on the CPU: sum: floating -> the same, Int/Long/Bool -> Long; mean: floating;
// amax, amin: all seven; any, all: all seven -> Bool. Half and BFloat16 accumulate in float and round once. An
// empty `reduced` gives sum 0, mean NaN, any 0 and all 1, and is a ValueError for amax and amin. A reduction to
// few outputs keeps few blocks busy: the inputs of one output are never spread over several blocks (column_sums.h does
// that, for floating sums down the columns of a matrix).
#pragma once

#include "kernels/cpu/reduce.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

using cpu::ReduceOp;
using cpu::Strided;

void reduce(ReduceOp op, ScalarType out_dtype, void* out, ScalarType in_dtype, const void* in,
            const Strided<2>& kept, const Strided<1>& reduced, StreamHandle stream);

}  // namespace gb::cuda
