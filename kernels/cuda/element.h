// The element types of kernels: what one number looks like in memory, and in which type it is computed.
//
// Half and BFloat16 are two bytes of storage, nothing more: a kernel loads one, computes in float, and rounds
// once, to nearest even, at the store. That is PyTorch's rule too (its acc_type). Their bit patterns are
// those of core's types of the same names, of _Float16 and of CUDA's __half and __nv_bfloat16; the host
// versions below are checked against the compiler's _Float16 for every pattern in element_test.cc.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/scalar_type.h"
#include "kernels/cuda/errors.h"
#include "kernels/cuda/qualifiers.h"

namespace gb::cuda {

__host__ __device__ inline uint32_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return bits;
}
__host__ __device__ inline float bits_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

// 1 sign bit, 8 exponent bits, 7 fraction bits: the upper half of a float.
struct BFloat16 {
  uint16_t bits;
  BFloat16() = default;
  __host__ __device__ explicit BFloat16(float value) {
#ifdef __CUDA_ARCH__  // the processor's own instruction; what it does is written out below
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return;
#endif
    uint32_t b = float_bits(value);
    if (value != value) {
      bits = static_cast<uint16_t>((b >> 16) | 0x40);  // stay a NaN, keep the sign
    } else {
      bits = static_cast<uint16_t>((b + 0x7fff + ((b >> 16) & 1)) >> 16);  // round to nearest, ties to even
    }
  }
  __host__ __device__ explicit operator float() const {
    return bits_float(static_cast<uint32_t>(bits) << 16);
  }
};

// 1 sign bit, 5 exponent bits, 10 fraction bits; below 2^-14 the numbers are subnormal, multiples of 2^-24.
struct Half {
  uint16_t bits;
  Half() = default;
  __host__ __device__ explicit Half(float value) {
#ifdef __CUDA_ARCH__
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return;
#endif
    uint32_t b = float_bits(value);
    uint32_t sign = (b >> 16) & 0x8000, magnitude = b & 0x7fffffff;
    uint32_t half;
    if (magnitude > 0x7f800000) {
      half = 0x7e00;  // NaN
    } else if (magnitude >= 0x47800000) {
      half = 0x7c00;                      // 65536 and above: infinity
    } else if (magnitude < 0x38800000) {  // below 2^-14: adding 0.5 makes the float adder round to 2^-24
      half = float_bits(bits_float(magnitude) + 0.5f) - 0x3f000000;
    } else {  // rebias the exponent by 112, round 13 bits away; may carry to inf
      half = (magnitude - (112u << 23) + 0xfff + ((magnitude >> 13) & 1)) >> 13;
    }
    bits = static_cast<uint16_t>(sign | half);
  }
  __host__ __device__ explicit operator float() const {
#ifdef __CUDA_ARCH__
    float wide;
    asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(bits));
    return wide;
#endif
    uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16, magnitude = bits & 0x7fff;
    if (magnitude >= 0x7c00) return bits_float(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
    if (magnitude < 0x400) {  // subnormal: the fraction counts 2^-24
      float value = static_cast<float>(magnitude) * 5.9604644775390625e-8f;
      return sign ? -value : value;
    }
    return bits_float(sign | ((magnitude << 13) + (112u << 23)));
  }
};

// The type that T is computed in.
template <class T>
struct ComputeType {
  using type = T;
};
template <>
struct ComputeType<Half> {
  using type = float;
};
template <>
struct ComputeType<BFloat16> {
  using type = float;
};
template <class T>
using compute_t = typename ComputeType<T>::type;

// A cast as static_cast makes it; to bool: not zero (NaN is true); half types by way of float.
template <class To, class From>
__host__ __device__ inline To convert(From value) {
  return static_cast<To>(static_cast<compute_t<To>>(static_cast<compute_t<From>>(value)));
}

// Calls f with a zero of the C++ type of `dtype`; false when the list does not have the dtype.
template <class F>
bool visit_floating(ScalarType dtype, F f) {
  switch (dtype) {
    case kFloat:
      f(float{});
      return true;
    case kDouble:
      f(double{});
      return true;
    case kHalf:
      f(Half{});
      return true;
    case kBFloat16:
      f(BFloat16{});
      return true;
    default:
      return false;
  }
}
// The floating types and the integers that have arithmetic (Bool has none).
template <class F>
bool visit_numeric(ScalarType dtype, F f) {
  switch (dtype) {
    case kLong:
      f(int64_t{});
      return true;
    case kInt:
      f(int32_t{});
      return true;
    default:
      return visit_floating(dtype, f);
  }
}
// Moving needs only an element's size: calls f with an unsigned integer of the size of `dtype`.
template <class F>
void visit_bits(ScalarType dtype, F f) {
  switch (elementSize(dtype)) {
    case 1:
      return f(uint8_t{});
    case 2:
      return f(uint16_t{});
    case 4:
      return f(uint32_t{});
    default:
      return f(uint64_t{});
  }
}
template <class F>
bool visit_all(ScalarType dtype, F f) {
  if (dtype == kBool) {
    f(bool{});
    return true;
  }
  return visit_numeric(dtype, f);
}

}  // namespace gb::cuda
