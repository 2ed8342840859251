// The rows of binary: built once per instruction set.
//
// Floating arithmetic runs on registers of Vec; integers, bool and comparisons are plain loops for the
// compiler to vectorise. "ivdep" tells it that iterations are independent, which holds for out == a too.
#include "kernels/cpu/binary.h"
#include "kernels/cpu/binary_functors.h"

namespace gb::cpu::CPU_CAPABILITY {
namespace {

template <class C>
GB_VEC C read_alpha(ScalarArg alpha) {
  if constexpr (kHasVec<C>)
    return static_cast<C>(alpha.d);
  else
    return static_cast<C>(alpha.i);
}

// One operand of a contiguous row: memory that advances, or one value (stride 0) kept in a register.
template <class T>
struct Moving {
  const T* p;
  GB_VEC Vec<T> at(int64_t i) const { return load(p + i); }
  GB_VEC Vec<T> part(int64_t i, int n) const { return load_part(p + i, n, 1); }
};
template <class T>
struct Fixed {
  Vec<T> v;
  GB_VEC Vec<T> at(int64_t) const { return v; }
  GB_VEC Vec<T> part(int64_t, int) const { return v; }
};

template <class T, class Op, class A, class B>
GB_VEC void vector_row(T* out, A a, B b, int64_t n, Compute<T> alpha) {
  constexpr int L = kLanes<T>;
  int64_t i = 0;
  for (; i + L <= n; i += L) store(out + i, Op()(a.at(i), b.at(i), alpha));
  if (i < n) store_part(out + i, Op()(a.part(i, int(n - i)), b.part(i, int(n - i)), alpha), int(n - i));
}

template <class T, class Op>
[[gnu::noinline]] void float_row_of_many(void* out_, const void* a_, const void* b_, int64_t n, int64_t so,
                                         int64_t sa, int64_t sb, ScalarArg alpha_) {
  using C = Compute<T>;
  T* out = static_cast<T*>(out_);
  const T *a = static_cast<const T*>(a_), *b = static_cast<const T*>(b_);
  const C alpha = read_alpha<C>(alpha_);
  if (n <= 0) return;
  if (so == 1 && sa == 1 && sb == 1) return vector_row<T, Op>(out, Moving<T>{a}, Moving<T>{b}, n, alpha);
  if (so == 1 && sa == 1 && sb == 0)
    return vector_row<T, Op>(out, Moving<T>{a}, Fixed<T>{broadcast<T>(C(*b))}, n, alpha);
  if (so == 1 && sa == 0 && sb == 1)
    return vector_row<T, Op>(out, Fixed<T>{broadcast<T>(C(*a))}, Moving<T>{b}, n, alpha);
  for (int64_t i = 0; i < n; ++i) out[i * so] = T(Op()(C(a[i * sa]), C(b[i * sb]), alpha));
}

// Floating arithmetic. One element is done here, before the loops' function saves registers and aligns its
// stack.
template <class T, class Op>
void float_row(void* out, const void* a, const void* b, int64_t n, int64_t so, int64_t sa, int64_t sb,
               ScalarArg alpha) {
  using C = Compute<T>;
  if (n != 1) return float_row_of_many<T, Op>(out, a, b, n, so, sa, sb, alpha);
  const C x = C(*static_cast<const T*>(a)), y = C(*static_cast<const T*>(b));
  *static_cast<T*>(out) = T(Op()(x, y, read_alpha<C>(alpha)));
}

// Integers, bool, and every comparison (O = bool). W is the type the operation is done in.
template <class T, class O, class W, class Op>
void plain_row(void* out_, const void* a_, const void* b_, int64_t n, int64_t so, int64_t sa, int64_t sb,
               ScalarArg alpha_) {
  O* out = static_cast<O*>(out_);
  const T *a = static_cast<const T*>(a_), *b = static_cast<const T*>(b_);
  const W alpha = read_alpha<W>(alpha_);
  if (so == 1 && sa == 1 && sb == 1) {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = O(Op()(W(a[i]), W(b[i]), alpha));
  } else if (so == 1 && sa == 1 && sb == 0 && n > 0) {
    const W fixed = W(*b);
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = O(Op()(W(a[i]), fixed, alpha));
  } else {
    for (int64_t i = 0; i < n; ++i) out[i * so] = O(Op()(W(a[i * sa]), W(b[i * sb]), alpha));
  }
}

template <class T>
void pow_row(void* out, const void* a, const void* b, int64_t n, int64_t so, int64_t sa, int64_t sb, ScalarArg alpha) {
  const Compute<T> exponent = sb == 0 && n > 0 ? Compute<T>(*static_cast<const T*>(b)) : 0;
  if (exponent == 2) return float_row<T, Square>(out, a, b, n, so, sa, sb, alpha);
  if (exponent == 3) return float_row<T, Cube>(out, a, b, n, so, sa, sb, alpha);
  return float_row<T, Pow>(out, a, b, n, so, sa, sb, alpha);
}

template <class Op>
constexpr BinaryRow floating(ScalarType dtype) {
  return with_floating_type(dtype, [](auto t) -> BinaryRow { return &float_row<typename decltype(t)::type, Op>; });
}

template <class Op>
constexpr BinaryRow arithmetic(ScalarType dtype) {
  switch (dtype) {
    case kInt:
      return &plain_row<int32_t, int32_t, uint32_t, Op>;
    case kLong:
      return &plain_row<int64_t, int64_t, uint64_t, Op>;
    default:
      return floating<Op>(dtype);
  }
}

// Integers whose sign matters.
template <class Op>
constexpr BinaryRow signed_integers(ScalarType dtype) {
  if (dtype == kInt) return &plain_row<int32_t, int32_t, int32_t, Op>;
  return dtype == kLong ? &plain_row<int64_t, int64_t, int64_t, Op> : nullptr;
}
template <class Op>
constexpr BinaryRow ordered(ScalarType dtype) {
  return isFloatingType(dtype) ? floating<Op>(dtype) : signed_integers<Op>(dtype);
}

template <class Op>
constexpr BinaryRow comparison(ScalarType dtype) {
  return with_type(dtype, [](auto t) -> BinaryRow {
    using T = typename decltype(t)::type;
    return &plain_row<T, bool, Compute<T>, Op>;
  });
}

constexpr BinaryRow row_of(BinaryOp op, ScalarType dtype) {
  const bool is_bool = dtype == kBool;
  switch (op) {
    case BinaryOp::Add:
      return is_bool ? &plain_row<bool, bool, bool, Or> : arithmetic<Add>(dtype);
    case BinaryOp::Mul:
      return is_bool ? &plain_row<bool, bool, bool, And> : arithmetic<Mul>(dtype);
    case BinaryOp::Sub:
      return is_bool ? nullptr : arithmetic<Sub>(dtype);
    case BinaryOp::Div:
      return floating<Div>(dtype);
    case BinaryOp::Eq:
      return comparison<Eq>(dtype);
    case BinaryOp::Ne:
      return comparison<Ne>(dtype);
    case BinaryOp::Lt:
      return comparison<Lt>(dtype);
    case BinaryOp::Le:
      return comparison<Le>(dtype);
    case BinaryOp::Gt:
      return comparison<Gt>(dtype);
    case BinaryOp::Ge:
      return comparison<Ge>(dtype);
    case BinaryOp::Pow:
      if (!isFloatingType(dtype)) return signed_integers<PowInteger>(dtype);
      return with_floating_type(dtype, [](auto t) -> BinaryRow { return &pow_row<typename decltype(t)::type>; });
    case BinaryOp::Maximum:
      return is_bool ? &plain_row<bool, bool, bool, Either> : ordered<Maximum>(dtype);
    case BinaryOp::Minimum:
      return is_bool ? &plain_row<bool, bool, bool, And> : ordered<Minimum>(dtype);
    case BinaryOp::TanhBackward:
      return floating<TanhBackward>(dtype);
    case BinaryOp::SigmoidBackward:
      return floating<SigmoidBackward>(dtype);
    case BinaryOp::ThresholdBackward:
      return ordered<ThresholdBackward>(dtype);
    case BinaryOp::GeluBackward:
      return floating<GeluBackward<GeluByNormal>>(dtype);
    case BinaryOp::GeluTanhBackward:
      return floating<GeluBackward<GeluByTanh>>(dtype);
  }
  return nullptr;
}

// The answers of row_of, worked out by the compiler: finding a row is one load at run time.
constexpr int kOps = static_cast<int>(BinaryOp::GeluTanhBackward) + 1, kTypes = static_cast<int>(ScalarType::Undefined) + 1;
struct Table {
  BinaryRow row[kOps][kTypes] = {};
  constexpr Table() {
    for (int op = 0; op < kOps; ++op)
      for (int t = 0; t < kTypes; ++t)
        row[op][t] = row_of(static_cast<BinaryOp>(op), static_cast<ScalarType>(t));
  }
};
constexpr Table kTable;

}  // namespace

BinaryRow binary_row(BinaryOp op, ScalarType dtype) {
  return kTable.row[static_cast<int>(op)][static_cast<int>(dtype)];
}

}  // namespace gb::cpu::CPU_CAPABILITY
