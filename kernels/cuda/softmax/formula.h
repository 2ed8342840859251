// What softmax and log_softmax differ in; the kernels of every rung take one of the two as template parameter F.
// T: the type of the elements; C: float or double, the type of the arithmetic.
#pragma once

#include <cmath>

#include "kernels/cuda/element.h"
#include "kernels/cuda/softmax/softmax.h"

namespace gb::cuda {

// 2^x; results below 2^-126 are 0, which saves the special function unit's subnormal numbers three instructions.
__device__ inline float exp2_flushed(float x) {
#ifdef __CUDA_ARCH__
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return x < -126 ? 0 : exp2f(x);
#endif
}

inline constexpr float kLog2E = 1.44269504f;

// The exponentials of a row, e^(x - max), and how a sum of them is moved to another maximum.
//
// float: 2^((x - max) log2(e)). Where x is the maximum the result is exactly 1, so that softmax of a single column is 1.
template <class T>
struct RowExp {
  using C = compute_t<T>;
  __device__ static C of(C x, C max) { return exponential(x - max); }
  __device__ static C move(C from, C to) { return exponential(from - to); }  // e^(from - to)

  __device__ static float exponential(float x) { return exp2_flushed(x * kLog2E); }
  __device__ static double exponential(double x) { return std::exp(x); }
};

// Half types, where instructions are what limits the kernels: 2^(x L - max L) with L = log2(e), one multiply-add for each
// element, as max L is the same for the row. What matters is that the two products cancel where x is the maximum.
//
// BFloat16 has 8 significant bits, so L is cut to 16 of them: products of the two have 24, which a float holds exactly.
// (The cut is wrong by 2^-17, far below a bfloat16.) From 2^100 on max L could leave float's range; there two different
// numbers lie so far apart that any small L takes the lower one's exponential to 0.
struct BFloat16RowExp {
  __device__ static float of(float x, float max) {
    const float l = fabsf(max) < 0x1p100f ? 0x1.7154p0f : 0x1p-64f;
    return exp2_flushed(fmaf(x, l, -(max * l)));
  }
  __device__ static float move(float from, float to) { return RowExp<float>::move(from, to); }
};

// Half has 11 bits and would need them all. Here max L is rounded (by 2^-8 at most: max is below 65504), which
// multiplies every exponential of the row by one factor near 1. It cancels in softmax, as long as a sum is moved by what
// was rounded; log_softmax, where it would not, takes RowExp.
struct HalfRowExp {
  __device__ static float of(float x, float max) { return exp2_flushed(fmaf(x, kLog2E, -scaled(max))); }
  __device__ static float move(float from, float to) { return exp2_flushed(scaled(from) - scaled(to)); }

  __device__ static float scaled(float max) {
#ifdef __CUDA_ARCH__
    return __fmul_rn(max, kLog2E);  // rounded: not merged into the subtraction that follows
#else
    return max * kLog2E;
#endif
  }
};

template <class T>
struct FusedRowExp : RowExp<T> {};
template <>
struct FusedRowExp<BFloat16> : BFloat16RowExp {};
template <>
struct FusedRowExp<Half> : HalfRowExp {};

template <class T>
struct Softmax : FusedRowExp<T> {
  using C = compute_t<T>;
  // `of_row` is made once per row, from sum = the row's sum of e^(x - max).
  __device__ static C of_row(C sum) { return 1 / sum; }
  __device__ static C output(C x, C max, C of_row) { return Softmax::of(x, max) * of_row; }
  // Backward: `total` is the row's sum of the terms. The Jacobian is diag(y) - y y^T, so the rest of the row
  // enters through this one number.
  __device__ static C term(C dy, C y) { return dy * y; }
  __device__ static C grad(C dy, C y, C total) { return y * (dy - total); }
};

template <class T>
struct LogSoftmax : RowExp<T> {
  using C = compute_t<T>;
  __device__ static C of_row(C sum) { return std::log(sum); }
  __device__ static C output(C x, C max, C of_row) { return x - max - of_row; }
  __device__ static C term(C dy, C) { return dy; }
  __device__ static C grad(C dy, C y, C total) { return dy - LogSoftmax::exponential(y) * total; }
};

// Calls run(zero of the element type, formula) for `dtype`; throws NotImplementedError where there is none.
template <class Run>
void visit_softmax(ScalarType dtype, bool log, const char* name, Run run) {
  const bool known = visit_floating(dtype, [&](auto zero) {
    using T = decltype(zero);
    if (log)
      run(zero, LogSoftmax<T>{});
    else
      run(zero, Softmax<T>{});
  });
  if (!known) throw_no_kernel(name, dtype);
}

// The same without double: the rungs above "registers" read 16 bytes at a time and are for what models compute
// in.
template <class Run>
void visit_softmax_up_to_float(ScalarType dtype, bool log, const char* name, Run run) {
  if (dtype == kDouble) throw_no_kernel(name, dtype);
  visit_softmax(dtype, log, name, [&](auto zero, auto formula) {
    if constexpr (sizeof(zero) <= 4) run(zero, formula);
  });
}

}  // namespace gb::cuda
