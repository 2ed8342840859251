// The rows of unary: built once per instruction set.
#include "kernels/cpu/types.h"
#include "kernels/cpu/unary.h"
#include "kernels/cpu/vec_exp.h"

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
// libm has these for one number: lane by lane. (The compiler makes one instruction of the square roots.)
struct Log {
  GB_VEC float operator()(float x) const { return __builtin_logf(x); }
  GB_VEC double operator()(double x) const { return __builtin_log(x); }
  template <class V>
  GB_VEC V operator()(V x) const {
    for (unsigned i = 0; i < sizeof(V) / sizeof(x[0]); ++i) x[i] = (*this)(x[i] + 0);
    return x;
  }
};
struct Sqrt {
  GB_VEC float operator()(float x) const { return __builtin_sqrtf(x); }
  GB_VEC double operator()(double x) const { return __builtin_sqrt(x); }
  template <class V>
  GB_VEC V operator()(V x) const {
    for (unsigned i = 0; i < sizeof(V) / sizeof(x[0]); ++i) x[i] = (*this)(x[i] + 0);
    return x;
  }
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

template <class T>
void negate_row(void* out_, const void* a_, int64_t n, int64_t so, int64_t sa) {
  T* out = static_cast<T*>(out_);
  const T* a = static_cast<const T*>(a_);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) out[i * so] = T(0 - Wrapping<T>(a[i * sa]));
}

template <class Op>
UnaryRow floating(ScalarType dtype) {
  return with_floating_type(dtype,
                            [](auto t) -> UnaryRow { return &float_row<typename decltype(t)::type, Op>; });
}

}  // namespace

UnaryRow unary_row(UnaryOp op, ScalarType dtype) {
  switch (op) {
    case UnaryOp::Neg:
      if (dtype == kInt) return &negate_row<int32_t>;
      if (dtype == kLong) return &negate_row<int64_t>;
      return floating<Neg>(dtype);
    case UnaryOp::Exp:
      return floating<Exp>(dtype);
    case UnaryOp::Log:
      return floating<Log>(dtype);
    case UnaryOp::Sqrt:
      return floating<Sqrt>(dtype);
    case UnaryOp::Reciprocal:
      return floating<Reciprocal>(dtype);
  }
  return nullptr;
}

}  // namespace gb::cpu::CPU_CAPABILITY
