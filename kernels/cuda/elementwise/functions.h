// The functions of one number that the elementwise kernels are made of, for float, double and integers.
//
// Counterparts of kernels/cpu/vec_math.h and binary_functors.h, which are written for whole registers and with
// polynomials of their own: there a register is 4 to 16 numbers, here a thread has one, and CUDA's library (on
// the host libm) gives the exponential and the error function. The formulas are the same.
#pragma once

#include <cmath>
#include <type_traits>

#include "kernels/cuda/element.h"

namespace gb::cuda {

// The type T is computed in where integers wrap: unsigned, for an overflow of signed numbers is undefined.
template <class T>
struct WrappingType {
  using type = compute_t<T>;
};
template <>
struct WrappingType<int32_t> {
  using type = uint32_t;
};
template <>
struct WrappingType<int64_t> {
  using type = uint64_t;
};
template <class T>
using wrapping_t = typename WrappingType<T>::type;

// NaN if either is NaN.
template <class C>
__device__ C maximum_of(C x, C y) {
  return x > y || x != x ? x : y;
}
template <class C>
__device__ C minimum_of(C x, C y) {
  return x < y || x != x ? x : y;
}

template <class C>
__device__ C sigmoid_of(C x) {
  return 1 / (1 + std::exp(-x));
}

// By squaring; wraps. An integer to a negative power is 0, but of 1 and -1.
template <class T>
__device__ T integer_power(T x, T y) {
  if (y < 0) return x == 1 ? T(1) : (x == T(-1) ? (y & 1 ? T(-1) : T(1)) : T(0));
  wrapping_t<T> result = 1, square = static_cast<wrapping_t<T>>(x);
  for (; y != 0; y >>= 1, square *= square)
    if (y & 1) result *= square;
  return static_cast<T>(result);
}

// The normal distribution: its density, and the share below x. The lower tail keeps its digits by erfc.
template <class C>
__device__ C normal_pdf(C x) {
  return std::exp(x * x * C(-0.5)) * C(0.39894228040143267794);
}
template <class C>
__device__ C normal_cdf(C x) {
  return C(0.5) * std::erfc(x * C(-0.70710678118654752440));
}

// GELU's form by tanh is x times a sigmoid of this.
template <class C>
__device__ C gelu_argument(C x) {
  return C(1.5957691216057307118) * (x + C(0.044715) * x * x * x);
}
template <class C>
__device__ C gelu_tanh_slope(C x) {
  const C s = sigmoid_of(gelu_argument(x));
  return s + x * s * (1 - s) * C(1.5957691216057307118) * (1 + 3 * C(0.044715) * x * x);
}

}  // namespace gb::cuda
