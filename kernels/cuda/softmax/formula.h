// What softmax and log_softmax differ in; the kernels of every rung take one of the two as template parameter F.
// C: float or double, the type of the arithmetic.
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

// The exponents of a row of floats are powers of two: e^(x - max) = 2^(x log2(e) - max log2(e)). The second product is
// the same for the whole row, so an element costs one multiply-add and one instruction of the special function unit.
// That product is rounded (for max = 1000 by up to 2^-14), which multiplies all exponents of the row by one factor
// near 1: it cancels in softmax as long as everybody rounds alike.
inline constexpr float kLog2E = 1.44269504f, kLn2 = 0.693147181f;
__device__ inline float scaled(float max) {
#ifdef __CUDA_ARCH__
  return __fmul_rn(max, kLog2E);  // rounded: not merged into the addition that follows
#else
  return max * kLog2E;
#endif
}
__device__ inline float exp_minus(float x, float max) { return exp2_flushed(fmaf(x, kLog2E, -scaled(max))); }
__device__ inline double exp_minus(double x, double max) { return std::exp(x - max); }

// What moves a sum of exp_minus(x, from) to one of exp_minus(x, to).
__device__ inline float factor(float from, float to) { return exp2_flushed(scaled(from) - scaled(to)); }
__device__ inline double factor(double from, double to) { return std::exp(from - to); }

// log of the sum of e^(x - max), where `sum` was added up with exp_minus. Here the factor does not cancel; a fused
// multiply-add finds what the rounding lost.
__device__ inline float log_of_sum(float sum, float max) {
  return logf(sum) - fmaf(max, kLog2E, -scaled(max)) * kLn2;
}
__device__ inline double log_of_sum(double sum, double) { return std::log(sum); }

template <class C>
struct Softmax {
  // `of_row` is made once per row, from sum = the row's sum of e^(x - max).
  __device__ static C of_row(C sum, C) { return 1 / sum; }
  __device__ static C output(C x, C max, C of_row) { return exp_minus(x, max) * of_row; }
  // Backward: `total` is the row's sum of the terms. The Jacobian is diag(y) - y y^T, so the rest of the row
  // enters through this one number.
  __device__ static C term(C dy, C y) { return dy * y; }
  __device__ static C grad(C dy, C y, C total) { return y * (dy - total); }
};

template <class C>
struct LogSoftmax {
  __device__ static C of_row(C sum, C max) { return log_of_sum(sum, max); }
  __device__ static C output(C x, C max, C of_row) { return x - max - of_row; }
  __device__ static C term(C dy, C) { return dy; }
  __device__ static C grad(C dy, C y, C total) { return dy - exp_minus(y, C(0)) * total; }
};

// Calls run(zero of the element type, formula) for `dtype`; throws NotImplementedError where there is none.
template <class Run>
void visit_softmax(ScalarType dtype, bool log, const char* name, Run run) {
  const bool known = visit_floating(dtype, [&](auto zero) {
    using C = compute_t<decltype(zero)>;
    if (log)
      run(zero, LogSoftmax<C>{});
    else
      run(zero, Softmax<C>{});
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
