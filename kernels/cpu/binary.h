// binary: out = a (op) b over a strided space, with broadcasting by stride 0.
//
// Arithmetic works on one dtype for all three operands; comparisons read that dtype and write bool. Half and
// BFloat16 compute in float and round once. Integer arithmetic wraps. On bool, add is "or" and mul is "and",
// as in PyTorch; so are maximum and minimum. An integer to a negative power is 0, but of 1 and -1.
// ...Backward: the inner operators of gradients, a is the incoming gradient and b what was saved. Not there:
// div of integers (the operator promotes first), sub and pow of bool, ...Backward of integers (but
// threshold): NotImplementedError. `out` may be the very memory of `a` or `b` with the same strides
// (in-place); it must not overlap them otherwise.
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/dispatch_stub.h"
#include "kernels/cpu/scalar_arg.h"
#include "kernels/cpu/strided.h"

namespace gb::cpu {

// Those up to Ge have a CUDA kernel too.
enum class BinaryOp : int8_t {
  Add,
  Sub,
  Mul,
  Div,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Pow,
  Maximum,
  Minimum,
  TanhBackward,
  SigmoidBackward,
  ThresholdBackward,
  GeluBackward,
  GeluTanhBackward
};

constexpr bool isComparison(BinaryOp op) { return op >= BinaryOp::Eq && op <= BinaryOp::Ge; }
const char* toString(BinaryOp op);

// One row: out[i*so] = a[i*sa] (op) b[i*sb] for i in [0, n). alpha multiplies b in Add and Sub, and is the
// threshold of ThresholdBackward; others ignore it.
using BinaryRow = void (*)(void* out, const void* a, const void* b, int64_t n, int64_t so, int64_t sa,
                           int64_t sb, ScalarArg alpha);

GB_CPU_KERNEL(binary_row, BinaryRow(BinaryOp op, ScalarType dtype));  // nullptr: not supported

[[noreturn]] void throw_binary_unsupported(BinaryOp op, ScalarType dtype);
void binary_rows(BinaryRow row, BinaryOp op, ScalarType dtype, void* out, const void* a, const void* b,
                 const Strided<3>& it, ScalarArg alpha);

// Spaces of one element and of one dimension go straight to the row: an `add` of two one-element tensors
// spends a few dozen instructions here.
inline void binary(BinaryOp op, ScalarType dtype, void* out, const void* a, const void* b,
                   const Strided<3>& it, ScalarArg alpha = 1) {
  const BinaryRow row = binary_row_stub(op, dtype);
  if (!row) [[unlikely]]
    throw_binary_unsupported(op, dtype);
  if (it.ndim == 0) return row(out, a, b, 1, 1, 1, 1, alpha);
  if (it.ndim == 1)
    return row(out, a, b, it.sizes[0], it.strides[0][0], it.strides[1][0], it.strides[2][0], alpha);
  binary_rows(row, op, dtype, out, a, b, it, alpha);
}

// The same for three contiguous arrays of n elements.
inline void binary_contiguous(BinaryOp op, ScalarType dtype, void* out, const void* a, const void* b,
                              int64_t n, ScalarArg alpha = 1) {
  const BinaryRow row = binary_row_stub(op, dtype);
  if (!row) [[unlikely]]
    throw_binary_unsupported(op, dtype);
  row(out, a, b, n, 1, 1, 1, alpha);
}

}  // namespace gb::cpu
