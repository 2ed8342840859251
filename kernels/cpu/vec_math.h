// tanh, sigmoid and the normal distribution, for one number and for a register of float (own polynomials, on
// vec_exp.h) or of double (libm, lane by lane).
//
//   tanh(x)         |x| < 0.625: x + x^3 P(x^2), degree 4, relative error 2^-25; else 1 - 2 / (e^2|x| + 1)
//   sigmoid(x)      1 / (1 + e^-x)
//   normal_pdf(x)   e^(-x^2/2) / sqrt(2 pi)
//   normal_cdf(x)   from the upper tail at |x|: with z = |x| / sqrt(2) and t = 1 / (1 + z/2),
//                   erfc(z) = e^(-z^2) t Q(t), degree 8, relative error 2^-24. So the lower tail keeps its
//                   digits, which 1 + erf(x) does not.
//
// Polynomials: interpolated at Chebyshev nodes. Errors in units of the last place: unary_test.cc asserts
// them.
#pragma once

#include "kernels/cpu/vec_exp.h"

namespace gb::cpu::CPU_CAPABILITY {

GB_VEC Vec<float> absolute(Vec<float> x) { return (Vec<float>)((VecBits<float>)x & 0x7fffffff); }

GB_VEC Vec<float> tanh(Vec<float> x) {
  const Vec<float> a = absolute(x), u = x * x;
  Vec<float> p = u * -0x1.8f8de4p-8f + 0x1.58048ep-6f;
  p = p * u - 0x1.b9258ap-5f;
  p = p * u + 0x1.110e1cp-3f;
  p = p * u - 0x1.555552p-2f;
  const Vec<float> near_zero = x + x * u * p;
  const Vec<float> far = 1.0f - 2.0f / (exp(a + a) + 1.0f);
  return a < 0.625f ? near_zero : (x < 0.0f ? -far : far);  // a NaN is in `far`
}
GB_VEC float tanh(float x) { return tanh(broadcast<float>(x))[0]; }
GB_VEC double tanh(double x) { return __builtin_tanh(x); }

template <class V>
GB_VEC V sigmoid(V x) {
  return 1 / (1 + exp(-x));
}

GB_VEC Vec<float> normal_pdf(Vec<float> x) { return exp(x * x * -0.5f) * 0x1.988454p-2f; }
GB_VEC float normal_pdf(float x) { return normal_pdf(broadcast<float>(x))[0]; }
GB_VEC double normal_pdf(double x) { return __builtin_exp(x * x * -0.5) * 0x1.9884533d43651p-2; }

GB_VEC Vec<float> normal_cdf(Vec<float> x) {
  const Vec<float> z = absolute(x) * 0x1.6a09e6p-1f, t = 1.0f / (1.0f + z * 0.5f);
  Vec<float> q = t * -0x1.e61912p-5f + 0x1.24d7dap-2f;
  q = q * t - 0x1.f60aecp-2f;
  q = q * t + 0x1.208106p-2f;
  q = q * t - 0x1.deec1cp-6f;
  q = q * t + 0x1.a16314p-3f;
  q = q * t + 0x1.f14dc2p-3f;
  q = q * t + 0x1.2130c6p-2f;
  q = q * t + 0x1.20dabcp-2f;
  const Vec<float> tail = exp(x * x * -0.5f) * t * q * 0.5f;
  return x < 0.0f ? tail : 1.0f - tail;
}
GB_VEC float normal_cdf(float x) { return normal_cdf(broadcast<float>(x))[0]; }
GB_VEC double normal_cdf(double x) { return 0.5 * __builtin_erfc(x * -0x1.6a09e667f3bccp-1); }

GB_VEC Vec<double> tanh(Vec<double> x) {
  for (int i = 0; i < kLanes<double>; ++i) x[i] = tanh(x[i] + 0);
  return x;
}
GB_VEC Vec<double> normal_pdf(Vec<double> x) { return exp(x * x * -0.5) * 0x1.9884533d43651p-2; }
GB_VEC Vec<double> normal_cdf(Vec<double> x) {
  for (int i = 0; i < kLanes<double>; ++i) x[i] = normal_cdf(x[i] + 0);
  return x;
}

// What GELU and its derivative are made of: of the normal distribution, or of tanh (as a sigmoid of twice its
// argument).
struct GeluByNormal {
  template <class V>
  GB_VEC static V value(V x) {
    return x * normal_cdf(x);
  }
  template <class V>
  GB_VEC static V slope(V x) {
    return normal_cdf(x) + x * normal_pdf(x);
  }
};
struct GeluByTanh {
  template <class V>
  GB_VEC static V value(V x) {
    return x * sigmoid(argument(x));
  }
  template <class V>
  GB_VEC static V slope(V x) {
    const V s = sigmoid(argument(x));
    return s + x * s * (1 - s) * (scaled(1 + 3 * cubic(x) * x * x));
  }

 private:
  // 2 sqrt(2/pi) (x + 0.044715 x^3), in parts.
  template <class V>
  GB_VEC static V argument(V x) {
    return scaled(x + cubic(x) * x * x * x);
  }
  template <class V>
  GB_VEC static V scaled(V x) {
    return x * constant(x, 0x1.9884533d43651p+0);
  }
  template <class V>
  GB_VEC static auto cubic(V x) {
    return constant(x, 0.044715);
  }
  GB_VEC static float constant(float, double c) { return static_cast<float>(c); }
  GB_VEC static double constant(double, double c) { return c; }
  GB_VEC static float constant(Vec<float>, double c) { return static_cast<float>(c); }
  GB_VEC static double constant(Vec<double>, double c) { return c; }
};

}  // namespace gb::cpu::CPU_CAPABILITY
