// sum, mean, amax, amin, any, all and prod: built once per instruction set.
//
// Two walks over memory. "Across": the reduced elements of one output lie side by side, one register sweeps
// them. "Down": the outputs lie side by side and their reduced elements are rows below each other (the
// gradient of a bias); then registers hold neighbouring outputs and step from row to row, so every cache line
// is read whole.
#include "kernels/cpu/reduce.h"
#include "kernels/cpu/types.h"
#include "kernels/cpu/vec_run.h"

namespace gb::cpu::CPU_CAPABILITY {
namespace {

struct MinOf {
  template <class C>
  static constexpr C identity() {
    return C(__builtin_inff());
  }
  template <class V>
  GB_VEC static V combine(V a, V b) {
    return min_nan(a, b);
  }
  template <class T>
  GB_VEC static Compute<T> lanes(Vec<T> v) {
    const auto min = [](Vec<T> a, Vec<T> b) __attribute__((always_inline)) { return min_nan(a, b); };
    return fold_lanes<T, kLanes<T> / 2>(v, min, std::make_integer_sequence<int, kLanes<T>>());
  }
};

struct ProdOf {
  template <class C>
  static constexpr C identity() {
    return 1;
  }
  template <class V>
  GB_VEC static V combine(V a, V b) {
    return a * b;
  }
  template <class T>
  GB_VEC static Compute<T> lanes(Vec<T> v) {
    const auto times = [](Vec<T> a, Vec<T> b) __attribute__((always_inline)) { return a * b; };
    return fold_lanes<T, kLanes<T> / 2>(v, times, std::make_integer_sequence<int, kLanes<T>>());
  }
};

template <bool kMean, class T>
GB_VEC T finish(double total, int64_t count) {
  Compute<T> value = static_cast<Compute<T>>(total);
  if (kMean) value /= static_cast<Compute<T>>(count);
  return T(value);
}

GB_VEC int64_t count_of(const Strided<1>& s) {
  int64_t n = 1;
  for (int d = 0; d < s.ndim; ++d) n *= s.sizes[d];
  return n;
}

template <class Op, bool kMean, class T>
void across(T* out, const T* in, const Strided<2>& kept, const Strided<1>& reduced) {
  const int64_t count = count_of(reduced), width = kept.sizes[kept.ndim - 1];
  const int64_t so = kept.strides[0][kept.ndim - 1], si = kept.strides[1][kept.ndim - 1];
  const int64_t n = reduced.sizes[reduced.ndim - 1], stride = reduced.strides[0][reduced.ndim - 1];
  for_each_row(kept, [&](const int64_t* at) {
    for (int64_t j = 0; j < width; ++j) {
      const T* p = in + at[1] + j * si;
      double total = Op::template identity<double>();
      for_each_row(reduced, [&](const int64_t* row) {
        const T* q = p + row[0];
        total = Op::combine(
            total, double(stride == 1 ? reduce_run<Op>(q, n) : reduce_strided_run<Op>(q, n, stride)));
      });
      out[at[0] + j * so] = finish<kMean, T>(total, count);
    }
  });
}

// `width` neighbouring outputs at once.
template <class Op, bool kMean, class T, int K>
GB_VEC void down_block(T* out, int64_t so, const T* in, const Strided<1>& reduced, int64_t count, int width) {
  constexpr int L = kLanes<T>;
  const int64_t rows = reduced.sizes[reduced.ndim - 1], stride = reduced.strides[0][reduced.ndim - 1];
  double total[K * L];
  for (double& t : total) t = Op::template identity<double>();
  for_each_row(reduced, [&](const int64_t* row) {
    const Registers<T, K> r = reduce_rows<Op, T, K>(in + row[0], rows, stride, width);
    Compute<T> lane[K * L];
    __builtin_memcpy(lane, &r, sizeof lane);
    for (int j = 0; j < K * L; ++j) total[j] = Op::combine(total[j], double(lane[j]));
  });
  for (int j = 0; j < width; ++j) out[j * so] = finish<kMean, T>(total[j], count);
}

template <class Op, bool kMean, class T>
void down(T* out, const T* in, const Strided<2>& kept, const Strided<1>& reduced) {
  constexpr int L = kLanes<T>;
  const int64_t count = count_of(reduced), width = kept.sizes[kept.ndim - 1],
                so = kept.strides[0][kept.ndim - 1];
  for_each_row(kept, [&](const int64_t* at) {
    T* o = out + at[0];
    const T* p = in + at[1];
    int64_t j = 0;
    for (; j + 4 * L <= width; j += 4 * L)
      down_block<Op, kMean, T, 4>(o + j * so, so, p + j, reduced, count, 4 * L);
    for (; j < width; j += L) {
      const int64_t left = width - j;
      down_block<Op, kMean, T, 1>(o + j * so, so, p + j, reduced, count, int(left < L ? left : L));
    }
  });
}

template <class Op, bool kMean, class T>
void reduce_floating(void* out, const void* in, const Strided<2>& kept, const Strided<1>& reduced) {
  const bool outputs_adjacent = kept.strides[1][kept.ndim - 1] == 1 && kept.sizes[kept.ndim - 1] > 1;
  const auto walk = outputs_adjacent && reduced.strides[0][reduced.ndim - 1] != 1 ? &down<Op, kMean, T>
                                                                                  : &across<Op, kMean, T>;
  walk(static_cast<T*>(out), static_cast<const T*>(in), kept, reduced);
}

// One element after the other: integers and bool, and any and all. A: what the result is gathered in; sums wrap,
// so A is unsigned there.
template <class T>
struct IntegerSum {
  using A = uint64_t;
  static constexpr A kFirst = 0;
  GB_VEC static A combine(A a, T x) { return a + static_cast<A>(x); }
};
template <class T>
struct IntegerProd {
  using A = uint64_t;
  static constexpr A kFirst = 1;
  GB_VEC static A combine(A a, T x) { return a * static_cast<A>(x); }
};
template <class T>
struct IntegerMax {
  using A = T;
  static constexpr A kFirst = T(-1) < T(0) ? T(T(1) << (sizeof(T) * 8 - 1)) : T(0);
  GB_VEC static A combine(A a, T x) { return x > a ? x : a; }
};

template <class T>
struct IntegerMin {
  using A = T;
  static constexpr A kFirst = T(~IntegerMax<T>::kFirst);
  GB_VEC static A combine(A a, T x) { return x < a ? x : a; }
};
template <>
struct IntegerMin<bool> {
  using A = bool;
  static constexpr A kFirst = true;
  GB_VEC static A combine(A a, bool x) { return a & x; }
};

template <class T>
GB_VEC bool is_true(T x) {  // NaN is
  if constexpr (kHasVec<T>)
    return Compute<T>(x) != 0;
  else
    return x != T(0);
}
template <class T>
struct AnyOf {
  using A = bool;
  static constexpr A kFirst = false;
  GB_VEC static A combine(A a, T x) { return a | is_true(x); }
};
template <class T>
struct AllOf {
  using A = bool;
  static constexpr A kFirst = true;
  GB_VEC static A combine(A a, T x) { return a & is_true(x); }
};

template <class O, class T, class Op>
void reduce_each(void* out_, const void* in_, const Strided<2>& kept, const Strided<1>& reduced) {
  O* out = static_cast<O*>(out_);
  const T* in = static_cast<const T*>(in_);
  const int64_t width = kept.sizes[kept.ndim - 1];
  const int64_t so = kept.strides[0][kept.ndim - 1], si = kept.strides[1][kept.ndim - 1];
  const int64_t n = reduced.sizes[reduced.ndim - 1], stride = reduced.strides[0][reduced.ndim - 1];
  for_each_row(kept, [&](const int64_t* at) {
    for (int64_t j = 0; j < width; ++j) {
      const T* p = in + at[1] + j * si;
      typename Op::A acc = Op::kFirst;
      for_each_row(reduced, [&](const int64_t* row) {
        for (int64_t i = 0; i < n; ++i) acc = Op::combine(acc, p[row[0] + i * stride]);
      });
      out[at[0] + j * so] = O(acc);
    }
  });
}

template <class Op, bool kMean>
ReduceFn floating(ScalarType dtype) {
  return with_floating_type(
      dtype, [](auto t) -> ReduceFn { return &reduce_floating<Op, kMean, typename decltype(t)::type>; });
}

// amax or amin.
template <template <class T> class Integer, class Floating>
ReduceFn extremum(ScalarType dtype) {
  switch (dtype) {
    case kLong:
      return &reduce_each<int64_t, int64_t, Integer<int64_t>>;
    case kInt:
      return &reduce_each<int32_t, int32_t, Integer<int32_t>>;
    case kBool:
      return &reduce_each<bool, bool, Integer<bool>>;
    default:
      return floating<Floating, false>(dtype);
  }
}

template <template <class T> class Op>
ReduceFn to_int64(ScalarType in_dtype) {
  switch (in_dtype) {
    case kLong:
      return &reduce_each<int64_t, int64_t, Op<int64_t>>;
    case kInt:
      return &reduce_each<int64_t, int32_t, Op<int32_t>>;
    case kBool:
      return &reduce_each<int64_t, bool, Op<bool>>;
    default:
      return nullptr;
  }
}

template <template <class T> class Op>
ReduceFn to_bool(ScalarType in_dtype) {
  return with_type(in_dtype, [](auto t) -> ReduceFn {
    using T = typename decltype(t)::type;
    return &reduce_each<bool, T, Op<T>>;
  });
}

}  // namespace

ReduceFn reduce_fn(ReduceOp op, ScalarType in_dtype, ScalarType out_dtype) {
  if (op == ReduceOp::Sum && out_dtype == kLong) return to_int64<IntegerSum>(in_dtype);
  if (op == ReduceOp::Prod && out_dtype == kLong) return to_int64<IntegerProd>(in_dtype);
  if (op == ReduceOp::Any || op == ReduceOp::All) {
    if (out_dtype != kBool) return nullptr;
    return op == ReduceOp::Any ? to_bool<AnyOf>(in_dtype) : to_bool<AllOf>(in_dtype);
  }
  if (in_dtype != out_dtype) return nullptr;
  switch (op) {
    case ReduceOp::Sum:
      return floating<SumOf, false>(in_dtype);
    case ReduceOp::Mean:
      return floating<SumOf, true>(in_dtype);
    case ReduceOp::AMax:
      return extremum<IntegerMax, MaxOf>(in_dtype);
    case ReduceOp::AMin:
      return extremum<IntegerMin, MinOf>(in_dtype);
    case ReduceOp::Prod:
      return floating<ProdOf, false>(in_dtype);
    default:
      return nullptr;
  }
}

}  // namespace gb::cpu::CPU_CAPABILITY
