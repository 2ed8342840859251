// copy and fill: move elements, converting between any two of the seven dtypes.
//
// Conversions are C++'s, as PyTorch's: floating to integer truncates toward zero (out-of-range values and NaN
// give whatever the processor gives), anything to bool is x != 0, double to Half or BFloat16 goes through
// float.
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/dispatch_stub.h"
#include "kernels/cpu/scalar_arg.h"
#include "kernels/cpu/strided.h"

namespace gb::cpu {

// One row: dst[i*sd] = src[i*ss] for i in [0, n).
using CopyRow = void (*)(void* dst, const void* src, int64_t n, int64_t sd, int64_t ss);

GB_CPU_KERNEL(copy_row,
              CopyRow(ScalarType dst_dtype, ScalarType src_dtype));  // nullptr: not one of the seven

// it: operand 0 = dst, 1 = src. They must not overlap. Throws NotImplementedError for a dtype without storage
// here.
void copy(ScalarType dst_dtype, void* dst, ScalarType src_dtype, const void* src, const Strided<2>& it);

// The same for two contiguous arrays of n elements.
void copy_contiguous(ScalarType dst_dtype, void* dst, ScalarType src_dtype, const void* src, int64_t n);

// dst[...] = value, converted to dtype first.
void fill(ScalarType dtype, void* dst, ScalarArg value, const Strided<1>& it);
void fill_contiguous(ScalarType dtype, void* dst, ScalarArg value, int64_t n);

}  // namespace gb::cpu
