// What binary computes of one pair, or of a register of pairs: Op()(x, y, alpha).
#pragma once

#include "kernels/cpu/types.h"
#include "kernels/cpu/vec_math.h"

namespace gb::cpu::CPU_CAPABILITY {

// x and y: scalars or registers of the compute type.
struct Add {
  template <class V, class S>
  GB_VEC V operator()(V x, V y, S alpha) const {
    return x + y * alpha;
  }
};
struct Sub {
  template <class V, class S>
  GB_VEC V operator()(V x, V y, S alpha) const {
    return x - y * alpha;
  }
};
struct Mul {
  template <class V, class S>
  GB_VEC V operator()(V x, V y, S) const {
    return x * y;
  }
};
struct Div {
  template <class V, class S>
  GB_VEC V operator()(V x, V y, S) const {
    return x / y;
  }
};
// NaN if either is NaN.
struct Maximum {
  template <class V, class S>
  GB_VEC V operator()(V x, V y, S) const {
    return max_nan(x, y);
  }
};
struct Minimum {
  template <class V, class S>
  GB_VEC V operator()(V x, V y, S) const {
    return min_nan(x, y);
  }
};
struct Pow {
  GB_VEC float operator()(float x, float y, float) const { return __builtin_powf(x, y); }
  GB_VEC double operator()(double x, double y, double) const { return __builtin_pow(x, y); }
  template <class V, class S>
  GB_VEC V operator()(V x, V y, S alpha) const {
    for (unsigned i = 0; i < sizeof(V) / sizeof(x[0]); ++i) x[i] = (*this)(x[i] + 0, y[i] + 0, alpha);
    return x;
  }
};
// x to the 2 and to the 3, whatever y: what powers mostly are.
struct Square {
  template <class V, class S>
  GB_VEC V operator()(V x, V, S) const {
    return x * x;
  }
};
struct Cube {
  template <class V, class S>
  GB_VEC V operator()(V x, V, S) const {
    return x * x * x;
  }
};
// By squaring; integers wrap.
struct PowInteger {
  template <class T, class S>
  GB_VEC T operator()(T x, T y, S) const {
    if (y < 0) return x == 1 ? T(1) : (x == T(-1) ? (y & 1 ? T(-1) : T(1)) : T(0));
    Wrapping<T> result = 1, square = Wrapping<T>(x);
    for (; y != 0; y >>= 1, square *= square)
      if (y & 1) result *= square;
    return T(result);
  }
};

// On bool.
struct Or {
  GB_VEC bool operator()(bool x, bool y, bool alpha) const { return x | (y & alpha); }
};
struct And {
  GB_VEC bool operator()(bool x, bool y, bool) const { return x & y; }
};
struct Either {
  GB_VEC bool operator()(bool x, bool y, bool) const { return x | y; }
};

struct Eq {
  template <class V, class S>
  GB_VEC bool operator()(V x, V y, S) const {
    return x == y;
  }
};
struct Ne {
  template <class V, class S>
  GB_VEC bool operator()(V x, V y, S) const {
    return x != y;
  }
};
struct Lt {
  template <class V, class S>
  GB_VEC bool operator()(V x, V y, S) const {
    return x < y;
  }
};
struct Le {
  template <class V, class S>
  GB_VEC bool operator()(V x, V y, S) const {
    return x <= y;
  }
};
struct Gt {
  template <class V, class S>
  GB_VEC bool operator()(V x, V y, S) const {
    return x > y;
  }
};
struct Ge {
  template <class V, class S>
  GB_VEC bool operator()(V x, V y, S) const {
    return x >= y;
  }
};

// The inner operators of gradients: x is the incoming gradient, y the output (of tanh, sigmoid) or the input
// that was saved.
struct TanhBackward {
  template <class V, class S>
  GB_VEC V operator()(V x, V y, S) const {
    return x * (1 - y * y);
  }
};
struct SigmoidBackward {
  template <class V, class S>
  GB_VEC V operator()(V x, V y, S) const {
    return x * (1 - y) * y;
  }
};
struct ThresholdBackward {
  template <class V, class S>
  GB_VEC V operator()(V x, V y, S threshold) const {
    return y <= threshold ? V{} : x;
  }
};
template <class Form>
struct GeluBackward {
  template <class V, class S>
  GB_VEC V operator()(V x, V y, S) const {
    return x * Form::slope(y);
  }
};

}  // namespace gb::cpu::CPU_CAPABILITY
