// exp for a register of float (own polynomial) and of double (libm, lane by lane).
//
// x = n ln2 + r with n = round(x / ln2), |r| <= ln2/2; e^x = 2^n e^r. r is formed with ln2 split in two so
// that n * high is exact; e^r - 1 - r is r^2 times a polynomial of degree 4 fitted on that interval (Remez,
// relative error below 2^-28). Largest error over all floats: see vec_exp_test in kernels_test.cc, which
// asserts it. Overflow gives inf, underflow goes through the subnormals to 0, NaN stays NaN, exp(-inf) = 0.
#pragma once

#include "kernels/cpu/vec.h"

namespace gb::cpu::CPU_CAPABILITY {

GB_VEC Vec<float> exp(Vec<float> x) {
  typedef VecBits<float> Bits;
  const float kShift = 0x1.8p23f;  // adding it leaves the integer part in the low bits, rounded to nearest
  // Outside this range the result is 0 or inf anyway, and n below stays small. A NaN fails both comparisons
  // and stays.
  const Vec<float> low = broadcast<float>(-104.0f), high = broadcast<float>(89.0f);
  x = x < low ? low : x;
  x = x > high ? high : x;
  const Vec<float> shifted = x * 0x1.715476p+0f + kShift;
  const Vec<float> n = shifted - kShift;
  Vec<float> r = x - n * 0x1.62e4p-1f;  // high part of ln2: 15 bits, so n * high is exact without FMA too
  r = r - n * 0x1.7f7d1cp-20f;
  Vec<float> p = r * 0x1.6a23ccp-10f + 0x1.123a2p-7f;
  p = p * r + 0x1.5558f2p-5f;
  p = p * r + 0x1.555492p-3f;
  p = p * r + 0x1.fffffcp-2f;
  const Vec<float> e = 1.0f + (r + r * r * p);
  // 2^n in two factors, because n runs from -150 to 128 and one float exponent does not.
  const Bits i = (Bits)shifted - 0x4b400000;
  const Bits half = i >> 1;
  const Vec<float> f1 = (Vec<float>)((half + 127) << 23), f2 = (Vec<float>)((i - half + 127) << 23);
  return e * f1 * f2;
}

GB_VEC float exp(float x) { return exp(broadcast<float>(x))[0]; }

GB_VEC double exp(double x) { return __builtin_exp(x); }

GB_VEC Vec<double> exp(Vec<double> x) {
  for (int i = 0; i < kLanes<double>; ++i) x[i] = __builtin_exp(x[i]);
  return x;
}

}  // namespace gb::cpu::CPU_CAPABILITY
