// The rows of unary: built once per instruction set.
#include "kernels/cpu/types.h"
#include "kernels/cpu/unary.h"
#include "kernels/cpu/vec_math.h"

namespace gb::cpu::CPU_CAPABILITY {
namespace {

struct Neg {
  template <class V>
  GB_VEC V operator()(V x) const {
    return -x;
  }
};
struct Exp {
  template <class V>
  GB_VEC V operator()(V x) const {
    return exp(x);
  }
};
struct Reciprocal {
  template <class V>
  GB_VEC V operator()(V x) const {
    return 1 / x;
  }
};
struct Tanh {
  template <class V>
  GB_VEC V operator()(V x) const {
    return tanh(x);
  }
};
struct Sigmoid {
  template <class V>
  GB_VEC V operator()(V x) const {
    return sigmoid(x);
  }
};
template <class Form>
struct Gelu {
  template <class V>
  GB_VEC V operator()(V x) const {
    return Form::value(x);
  }
};
struct Relu {  // NaN stays
  template <class V>
  GB_VEC V operator()(V x) const {
    return x < 0 ? V{} : x;
  }
};
struct Sign {  // of NaN: 0
  template <class V>
  GB_VEC V operator()(V x) const {
    const V zero{}, one = 1 + zero;
    return x > 0 ? one : (x < 0 ? -one : zero);
  }
};
// libm has these for one number: lane by lane. (The compiler makes one instruction of the square roots.)
template <class One>
struct ByLane : One {
  using One::operator();
  template <class V>
  GB_VEC V operator()(V x) const {
    for (unsigned i = 0; i < sizeof(V) / sizeof(x[0]); ++i) x[i] = (*this)(x[i] + 0);
    return x;
  }
};
struct LogOfOne {
  GB_VEC float operator()(float x) const { return __builtin_logf(x); }
  GB_VEC double operator()(double x) const { return __builtin_log(x); }
};
struct SqrtOfOne {
  GB_VEC float operator()(float x) const { return __builtin_sqrtf(x); }
  GB_VEC double operator()(double x) const { return __builtin_sqrt(x); }
};
struct RsqrtOfOne {
  GB_VEC float operator()(float x) const { return 1 / __builtin_sqrtf(x); }
  GB_VEC double operator()(double x) const { return 1 / __builtin_sqrt(x); }
};
struct SinOfOne {
  GB_VEC float operator()(float x) const { return __builtin_sinf(x); }
  GB_VEC double operator()(double x) const { return __builtin_sin(x); }
};
struct CosOfOne {
  GB_VEC float operator()(float x) const { return __builtin_cosf(x); }
  GB_VEC double operator()(double x) const { return __builtin_cos(x); }
};
struct AbsOfOne {
  GB_VEC float operator()(float x) const { return __builtin_fabsf(x); }
  GB_VEC double operator()(double x) const { return __builtin_fabs(x); }
};
struct FloorOfOne {
  GB_VEC float operator()(float x) const { return __builtin_floorf(x); }
  GB_VEC double operator()(double x) const { return __builtin_floor(x); }
};

template <class T, class Op>
void float_row(void* out_, const void* a_, int64_t n, int64_t so, int64_t sa) {
  using C = Compute<T>;
  constexpr int L = kLanes<T>;
  T* out = static_cast<T*>(out_);
  const T* a = static_cast<const T*>(a_);
  if (so == 1 && sa == 1) {
    int64_t i = 0;
    for (; i + L <= n; i += L) store(out + i, Op()(load(a + i)));
    if (i < n) store_part(out + i, Op()(load_part(a + i, int(n - i), 1)), int(n - i));
  } else {
    for (int64_t i = 0; i < n; ++i) out[i * so] = T(Op()(C(a[i * sa])));
  }
}

// Of integers: one number at a time.
struct NegInteger {
  template <class T>
  GB_VEC T operator()(T x) const {
    return T(0 - Wrapping<T>(x));
  }
};
struct AbsInteger {
  template <class T>
  GB_VEC T operator()(T x) const {
    return x < 0 ? NegInteger()(x) : x;
  }
};
struct Same {
  template <class T>
  GB_VEC T operator()(T x) const {
    return x;
  }
};

template <class T, class Op>
void plain_row(void* out_, const void* a_, int64_t n, int64_t so, int64_t sa) {
  T* out = static_cast<T*>(out_);
  const T* a = static_cast<const T*>(a_);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) out[i * so] = Op()(a[i * sa]);
}

template <class Op>
constexpr UnaryRow floating(ScalarType dtype) {
  return with_floating_type(dtype, [](auto t) -> UnaryRow { return &float_row<typename decltype(t)::type, Op>; });
}
template <class Op, class IntegerOp>
constexpr UnaryRow any(ScalarType dtype) {
  if (dtype == kInt) return &plain_row<int32_t, IntegerOp>;
  if (dtype == kLong) return &plain_row<int64_t, IntegerOp>;
  return floating<Op>(dtype);
}

constexpr UnaryRow row_of(UnaryOp op, ScalarType dtype) {
  switch (op) {
    case UnaryOp::Neg:
      return any<Neg, NegInteger>(dtype);
    case UnaryOp::Abs:
      return any<ByLane<AbsOfOne>, AbsInteger>(dtype);
    case UnaryOp::Sign:
      return dtype == kBool ? &plain_row<bool, Same> : any<Sign, Sign>(dtype);
    case UnaryOp::Relu:
      return any<Relu, Relu>(dtype);
    case UnaryOp::Floor:
      return any<ByLane<FloorOfOne>, Same>(dtype);
    case UnaryOp::Exp:
      return floating<Exp>(dtype);
    case UnaryOp::Log:
      return floating<ByLane<LogOfOne>>(dtype);
    case UnaryOp::Sqrt:
      return floating<ByLane<SqrtOfOne>>(dtype);
    case UnaryOp::Rsqrt:
      return floating<ByLane<RsqrtOfOne>>(dtype);
    case UnaryOp::Reciprocal:
      return floating<Reciprocal>(dtype);
    case UnaryOp::Tanh:
      return floating<Tanh>(dtype);
    case UnaryOp::Sigmoid:
      return floating<Sigmoid>(dtype);
    case UnaryOp::Gelu:
      return floating<Gelu<GeluByNormal>>(dtype);
    case UnaryOp::GeluTanh:
      return floating<Gelu<GeluByTanh>>(dtype);
    case UnaryOp::Sin:
      return floating<ByLane<SinOfOne>>(dtype);
    case UnaryOp::Cos:
      return floating<ByLane<CosOfOne>>(dtype);
  }
  return nullptr;
}

}  // namespace

UnaryRow unary_row(UnaryOp op, ScalarType dtype) { return row_of(op, dtype); }

}  // namespace gb::cpu::CPU_CAPABILITY
