// Reductions of one run of floating memory to one value, and of a stack of rows to one row: the inner loops
// of reduce, softmax, log_softmax and layer_norm; and how those three read and write a row.
//
// Both are pairwise: at most kStep steps are added up in a register, longer runs are halved and the halves'
// results combined, so the error of a sum grows with log(n). (The order is fixed for a given instruction set:
// results are reproducible, but may differ between instruction sets in the last bits.)
#pragma once

#include "kernels/cpu/vec.h"

namespace gb::cpu::CPU_CAPABILITY {

inline constexpr int kStep = 16;

struct SumOf {
  using Total = double;  // what partial results of separate runs are combined in
  template <class C>
  static constexpr C identity() {
    return 0;
  }
  template <class V>
  GB_VEC static V combine(V a, V b) {
    return a + b;
  }
  template <class T>
  GB_VEC static Compute<T> lanes(Vec<T> v) {
    return sum_lanes<T>(v);
  }
};

struct MaxOf {
  using Total = double;  // holds every float and double exactly
  template <class C>
  static constexpr C identity() {
    return -C(__builtin_inff());
  }
  template <class V>
  GB_VEC static V combine(V a, V b) {
    return max_nan(a, b);
  }
  template <class T>
  GB_VEC static Compute<T> lanes(Vec<T> v) {
    return max_lanes<T>(v);
  }
};

// Op over p[0..n).
template <class Op, class T>
Compute<T> reduce_run(const T* p, int64_t n) {
  constexpr int L = kLanes<T>;
  constexpr auto kIdentity = Op::template identity<Compute<T>>();
  if (n > kStep * 4 * L) {
    const int64_t half = n / 2 / (4 * L) * (4 * L);
    const Compute<T> low = reduce_run<Op>(p, half), high = reduce_run<Op>(p + half, n - half);
    return Op::combine(low, high);
  }
  Vec<T> acc[4];
#pragma GCC unroll 4
  for (auto& a : acc) a = broadcast<T>(kIdentity);
  int64_t i = 0;
  for (; i + 4 * L <= n; i += 4 * L)
#pragma GCC unroll 4  // -O2 alone would keep the accumulators in memory
    for (int u = 0; u < 4; ++u) acc[u] = Op::combine(acc[u], load(p + i + u * L));
  for (; i + L <= n; i += L) acc[0] = Op::combine(acc[0], load(p + i));
  if (i < n) acc[1] = Op::combine(acc[1], load_part(p + i, int(n - i), kIdentity));
  return Op::template lanes<T>(Op::combine(Op::combine(acc[0], acc[1]), Op::combine(acc[2], acc[3])));
}

// Op over p[0], p[stride], ..., p[(n-1) * stride].
template <class Op, class T>
Compute<T> reduce_strided_run(const T* p, int64_t n, int64_t stride) {
  using C = Compute<T>;
  if (n > kStep) {
    const int64_t half = n / 2;
    return Op::combine(reduce_strided_run<Op>(p, half, stride),
                       reduce_strided_run<Op>(p + half * stride, n - half, stride));
  }
  C acc = Op::template identity<C>();
  for (int64_t i = 0; i < n; ++i) acc = Op::combine(acc, C(p[i * stride]));
  return acc;
}

// K registers side by side.
template <class T, int K>
struct Registers {
  Vec<T> v[K];
};

// The first `width` columns of `rows` rows, `stride` apart, to one row. width == K * kLanes<T>, or, for K ==
// 1, less.
template <class Op, class T, int K>
Registers<T, K> reduce_rows(const T* p, int64_t rows, int64_t stride, int width) {
  constexpr int L = kLanes<T>;
  constexpr auto kIdentity = Op::template identity<Compute<T>>();
  Registers<T, K> acc;
  if (rows > kStep) {
    const int64_t half = rows / 2;
    acc = reduce_rows<Op, T, K>(p, half, stride, width);
    const Registers<T, K> high = reduce_rows<Op, T, K>(p + half * stride, rows - half, stride, width);
#pragma GCC unroll 4
    for (int u = 0; u < K; ++u) acc.v[u] = Op::combine(acc.v[u], high.v[u]);
    return acc;
  }
#pragma GCC unroll 4
  for (auto& a : acc.v) a = broadcast<T>(kIdentity);
  if (K == 1 && width < L) {
    for (int64_t r = 0; r < rows; ++r)
      acc.v[0] = Op::combine(acc.v[0], load_part(p + r * stride, width, kIdentity));
  } else {
    for (int64_t r = 0; r < rows; ++r)
#pragma GCC unroll 4
      for (int u = 0; u < K; ++u) acc.v[u] = Op::combine(acc.v[u], load(p + r * stride + u * L));
  }
  return acc;
}

// A register's worth of row at p, or its first n elements; lanes past the end read as `rest`.
template <class T>
GB_VEC Vec<T> read(const T* p, int64_t n, Compute<T> rest) {
  return n >= kLanes<T> ? load(p) : load_part(p, int(n), rest);
}
template <class T>
GB_VEC void write(T* p, Vec<T> v, int64_t n) {
  if (n >= kLanes<T>)
    store(p, v);
  else
    store_part(p, v, int(n));
}

// term(0) + ... + term(n - 1), in that order of calls, added up in runs so that a long column loses few bits.
template <class T, class Term>
GB_VEC Vec<T> sum_in_runs(int64_t n, Term term) {
  Vec<T> sum = broadcast<T>(0);
  for (int64_t first = 0; first < n; first += kStep) {
    const int64_t end = first + kStep < n ? first + kStep : n;
    Vec<T> run = broadcast<T>(0);
    for (int64_t d = first; d < end; ++d) run += term(d);
    sum += run;
  }
  return sum;
}

}  // namespace gb::cpu::CPU_CAPABILITY
