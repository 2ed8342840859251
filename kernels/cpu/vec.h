// Vec<T>: one processor register of T, for T = float and double; and how memory becomes one.
//
// A Vec is a plain GCC vector type, so + - * / and comparisons are the language's own and a debugger prints
// its lanes. Its width follows CPU_CAPABILITY: 16, 32 or 64 bytes. Kernels are written once against it:
//
//   Vec<float> v = load(p);     p may be float*, Half* or BFloat16* (kLanes<T> elements; halves widen to
//   float) store(q, exp(v * 2.0f));    rounds to q's type
//
// load_part / store_part do the same for the first n lanes, so that a row's tail runs through the same
// arithmetic as its body: the result of an element never depends on where in the row it stands. Everything
// here is in the namespace of its instruction set, and inlined.
#pragma once

#include <cstdint>
#include <utility>

#include "core/bfloat16.h"
#include "core/half.h"

#ifndef CPU_CAPABILITY
#error "kernels/cpu/vec.h is for files built once per instruction set (kernels/cpu/defs.bzl)"
#endif
#define GB_VEC [[gnu::always_inline]] inline

namespace gb::cpu::CPU_CAPABILITY {

#if defined(__AVX512F__)
inline constexpr int kVecBytes = 64;
#elif defined(__AVX2__)
inline constexpr int kVecBytes = 32;
#else
inline constexpr int kVecBytes = 16;
#endif

// The type in which T's arithmetic is done.
template <class T>
struct ComputeOf {
  using type = T;
};
template <>
struct ComputeOf<Half> {
  using type = float;
};
template <>
struct ComputeOf<BFloat16> {
  using type = float;
};
template <class T>
using Compute = typename ComputeOf<T>::type;

template <class C>
struct VecOf;
template <>
struct VecOf<float> {
  typedef float type __attribute__((vector_size(kVecBytes)));
  typedef int32_t bits __attribute__((vector_size(kVecBytes)));
};
template <>
struct VecOf<double> {
  typedef double type __attribute__((vector_size(kVecBytes)));
  typedef int64_t bits __attribute__((vector_size(kVecBytes)));
};
template <class T>
using Vec = typename VecOf<Compute<T>>::type;  // of the compute type
template <class T>
using VecBits = typename VecOf<Compute<T>>::bits;  // integers of the same width: masks, bit tricks
template <class T>
inline constexpr int kLanes = kVecBytes / int(sizeof(Compute<T>));

template <class T>
inline constexpr bool kHasVec = false;
template <>
inline constexpr bool kHasVec<float> = true;
template <>
inline constexpr bool kHasVec<double> = true;
template <>
inline constexpr bool kHasVec<Half> = true;
template <>
inline constexpr bool kHasVec<BFloat16> = true;

// ---- memory to register
// -------------------------------------------------------------------------------------------

GB_VEC Vec<float> load(const float* p) {
  Vec<float> v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
GB_VEC Vec<double> load(const double* p) {
  Vec<double> v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
GB_VEC Vec<float> load(const BFloat16* p) {
  typedef uint16_t Narrow __attribute__((vector_size(kVecBytes / 2)));
  Narrow n;
  __builtin_memcpy(&n, p, sizeof n);
  return (Vec<float>)(__builtin_convertvector(n, VecBits<float>) << 16);
}
GB_VEC Vec<float> load(const Half* p) {
#if defined(__AVX512F__)
  // (The unmasked intrinsic does the same, but g++ 12 warns of its undefined pass-through operand.)
  return (Vec<float>)_mm512_maskz_cvtph_ps(0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
#elif defined(__F16C__)
  return (Vec<float>)_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
#else
  return Vec<float>{float(p[0]), float(p[1]), float(p[2]), float(p[3])};
#endif
}

GB_VEC void store(float* p, Vec<float> v) { __builtin_memcpy(p, &v, sizeof v); }
GB_VEC void store(double* p, Vec<double> v) { __builtin_memcpy(p, &v, sizeof v); }
GB_VEC void store(BFloat16* p, Vec<float> v) {
  typedef uint32_t Bits __attribute__((vector_size(kVecBytes)));
  typedef uint16_t Narrow __attribute__((vector_size(kVecBytes / 2)));
  const Bits b = (Bits)v;
  const Bits rounded = (b + 0x7fffu + ((b >> 16) & 1u)) >> 16;  // nearest even, as in core/bfloat16.h
  const Bits nan = (Bits)(v != v);
  const Narrow n = __builtin_convertvector((nan & 0x7fc0u) | (~nan & rounded), Narrow);
  __builtin_memcpy(p, &n, sizeof n);
}
GB_VEC void store(Half* p, Vec<float> v) {
#if defined(__AVX512F__)
  const __m256i h = _mm512_maskz_cvtps_ph(0xffff, (__m512)v, _MM_FROUND_TO_NEAREST_INT);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), h);
#elif defined(__F16C__)
  const __m128i h = _mm256_cvtps_ph((__m256)v, _MM_FROUND_TO_NEAREST_INT);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), h);
#else
  for (int i = 0; i < 4; ++i) p[i] = Half(v[i]);
#endif
}

// The first n lanes, 0 <= n < kLanes<T>; the other lanes read as `rest`, and are not written.
template <class T>
GB_VEC Vec<T> load_part(const T* p, int n, Compute<T> rest) {
  T buffer[kLanes<T>];
  for (int i = 0; i < kLanes<T>; ++i) buffer[i] = T(rest);
  __builtin_memcpy(buffer, p, sizeof(T) * unsigned(n));
  return load(buffer);
}
template <class T>
GB_VEC void store_part(T* p, Vec<T> v, int n) {
  T buffer[kLanes<T>];
  store(buffer, v);
  __builtin_memcpy(p, buffer, sizeof(T) * unsigned(n));
}

// ---- lanes
// --------------------------------------------------------------------------------------------------------

template <class T>
GB_VEC Vec<T> broadcast(Compute<T> s) {
  return s - Vec<T>{};  // s - 0 in every lane: keeps -0 and NaN, where s + 0 would lose the sign of -0
}

// NaN if either is NaN: the first comparison keeps a NaN in `a`, the second lets one in `b` through.
template <class V>
GB_VEC V max_nan(V a, V b) {
  return (a > b) | (a != a) ? a : b;
}

template <class V>
GB_VEC V min_nan(V a, V b) {
  return (a < b) | (a != a) ? a : b;
}

// All lanes to one, as a tree: lane i meets lane i + kWidth, then kWidth halves.
template <class T, int kWidth, int... kLane, class Op>
GB_VEC Compute<T> fold_lanes(Vec<T> v, Op op, std::integer_sequence<int, kLane...> lanes) {
  if constexpr (kWidth == 0)
    return v[0];
  else
    return fold_lanes<T, kWidth / 2>(op(v, __builtin_shufflevector(v, v, ((kLane + kWidth) % kLanes<T>)...)),
                                     op, lanes);
}

template <class T>
GB_VEC Compute<T> sum_lanes(Vec<T> v) {
  const auto add = [](Vec<T> a, Vec<T> b) __attribute__((always_inline)) { return a + b; };
  return fold_lanes<T, kLanes<T> / 2>(v, add, std::make_integer_sequence<int, kLanes<T>>());
}

template <class T>
GB_VEC Compute<T> max_lanes(Vec<T> v) {
  const auto max = [](Vec<T> a, Vec<T> b) __attribute__((always_inline)) { return max_nan(a, b); };
  return fold_lanes<T, kLanes<T> / 2>(v, max, std::make_integer_sequence<int, kLanes<T>>());
}

}  // namespace gb::cpu::CPU_CAPABILITY
