// unary: out = f(a) over a strided space, one dtype for both.
//
// Neg, Abs, Sign, Relu and Floor work on all dtypes but bool (Sign on bool too); the others on the four
// floating ones (the operator promotes integers first). Half and BFloat16 compute in float and round once. In
// float exp, tanh, sigmoid and both forms of GELU are this folder's own polynomials (vec_exp.h, vec_math.h: a
// few ulp); the others, and all of double, are libm's.
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/dispatch_stub.h"
#include "kernels/cpu/strided.h"

namespace gb::cpu {

// The first five have a CUDA kernel too.
enum class UnaryOp : int8_t {
  Neg,
  Exp,
  Log,
  Sqrt,
  Reciprocal,
  Rsqrt,
  Tanh,
  Sigmoid,
  Gelu,
  GeluTanh,
  Sin,
  Cos,
  Relu,
  Abs,
  Sign,
  Floor
};
const char* toString(UnaryOp op);

// One row: out[i*so] = f(a[i*sa]) for i in [0, n).
using UnaryRow = void (*)(void* out, const void* a, int64_t n, int64_t so, int64_t sa);

GB_CPU_KERNEL(unary_row, UnaryRow(UnaryOp op, ScalarType dtype));  // nullptr: not supported

// it: operand 0 = out, 1 = a. `out` may be `a` itself with the same strides. Throws NotImplementedError.
void unary(UnaryOp op, ScalarType dtype, void* out, const void* a, const Strided<2>& it);

}  // namespace gb::cpu
