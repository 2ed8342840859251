// What the elementwise kernels must do: values in every dtype, broadcasting, wrapping, casts, empty and 0-d
// spaces.
#pragma once

#include <limits>

#include "core/error.h"
#include "kernels/cuda/cases/machine.h"
#include "kernels/cuda/elementwise/elementwise.h"

namespace gb::cuda::cases {

inline constexpr ScalarType kAllTypes[] = {kFloat, kDouble, kHalf, kBFloat16, kLong, kInt, kBool};

// A contiguous space of n elements for N operands.
template <int N>
Dims<N> flat(int64_t n) {
  Dims<N> it;
  if constexpr (N == 1) it.push(n, {1});
  if constexpr (N == 2) it.push(n, {1, 1});
  if constexpr (N == 3) it.push(n, {1, 1, 1});
  return it;
}

// What kernels/cpu computes of the same values: in double for the floating dtypes, so that only the rounding of the
// kernel under test is left.
inline ScalarType reference_dtype(ScalarType dtype) { return isFloatingType(dtype) ? kDouble : dtype; }

inline Values reference_binary(BinaryOp op, ScalarType dtype, const Values& a, const Values& b, double alpha,
                               const Dims<3>& it, size_t n) {
  HostMemory host;
  const ScalarType as = reference_dtype(dtype);
  Array x(host, as, a), y(host, as, b), out(host, cpu::isComparison(op) ? kBool : as, Values(n));
  cpu::binary(op, as, out.data(), x.data(), y.data(), it, alpha);
  return out.values();
}

inline Values reference_unary(UnaryOp op, ScalarType dtype, const Values& a, const Dims<2>& it, size_t n) {
  HostMemory host;
  const ScalarType as = reference_dtype(dtype);
  Array x(host, as, a), out(host, as, Values(n));
  cpu::unary(op, as, out.data(), x.data(), it);
  return out.values();
}

// out [2, 3, 300] = a [2, 1, 300] (op) b [3, 1]: broadcasting in both, more than one block of threads
inline void binary_broadcasts(Machine& machine, BinaryOp op, ScalarType dtype) {
  INFO("binary " << static_cast<int>(op) << " on " << std::string(toString(dtype)));
  const double low = isFloatingType(dtype) ? 0.5 : 1, high = isFloatingType(dtype) ? 2 : 4;
  const Values va = rounded(dtype, random_values(600, 1, low, high)),
               vb = rounded(dtype, random_values(3, 2, low, high));
  const ScalarType out_dtype = cpu::isComparison(op) ? kBool : dtype;
  Array a(machine, dtype, va), b(machine, dtype, vb), out(machine, out_dtype, Values(1800));
  Dims<3> it;
  it.push(2, {900, 300, 0});
  it.push(3, {300, 0, 1});
  it.push(300, {1, 1, 0});
  const double alpha = dtype == kBool ? 1 : 2;
  binary(op, dtype, out.data(), a.data(), b.data(), it, alpha, nullptr);
  check_close(out.values(), reference_binary(op, dtype, va, vb, alpha, it, 1800), tolerance(dtype));
}

// Contiguous, from a place in memory that packs of 16 bytes can be loaded from and from one they cannot, with a rest
// that does not fill a pack; and with a number for one operand.
inline void binary_packs(Machine& machine, BinaryOp op, ScalarType dtype) {
  INFO("binary " << static_cast<int>(op) << " on " << toString(dtype) << ", contiguous");
  const Values va = rounded(dtype, random_values(2106, 1, 1, 3)), vb = rounded(dtype, random_values(2106, 2, 1, 3));
  const ScalarType out_dtype = cpu::isComparison(op) ? kBool : dtype;
  const size_t bytes = elementSize(dtype), out_bytes = elementSize(out_dtype);
  for (size_t skipped : {0, 1}) {
    const size_t n = va.size() - skipped;
    Array a(machine, dtype, va), b(machine, dtype, vb), out(machine, out_dtype, Values(va.size()));
    for (int64_t step : {1, 0}) {
      Dims<3> it;
      it.push(static_cast<int64_t>(n), {1, 1, step});
      binary(op, dtype, static_cast<char*>(out.data()) + skipped * out_bytes,
             static_cast<char*>(a.data()) + skipped * bytes, static_cast<char*>(b.data()) + skipped * bytes, it, 1,
             nullptr);
      const auto from = static_cast<std::ptrdiff_t>(skipped);
      Values got = out.values();
      got.erase(got.begin(), got.begin() + from);
      check_close(got, reference_binary(op, dtype, {va.begin() + from, va.end()}, {vb.begin() + from, vb.end()}, 1, it, n),
                  tolerance(dtype));
    }
  }
}

inline void binary_cases(Machine& machine) {
  for (ScalarType dtype : kAllTypes)
    for (int o = 0; o <= static_cast<int>(BinaryOp::GeluTanhBackward); ++o) {
      const BinaryOp op = static_cast<BinaryOp>(o);
      const bool floats_only =
          op == BinaryOp::Div || (op >= BinaryOp::TanhBackward && op != BinaryOp::ThresholdBackward);
      const bool not_bool = op == BinaryOp::Sub || op == BinaryOp::Pow || op == BinaryOp::ThresholdBackward;
      const bool refused = (floats_only && !isFloatingType(dtype)) || (not_bool && dtype == kBool);
      if (!refused) binary_broadcasts(machine, op, dtype);
      if (!refused) binary_packs(machine, op, dtype);
      Array none(machine, dtype, {});
      if (refused)
        CHECK_THROWS_AS(binary(op, dtype, none.data(), none.data(), none.data(), flat<3>(0), 1, nullptr),
                        NotImplementedError);
      else
        binary(op, dtype, none.data(), none.data(), none.data(), flat<3>(0), 1, nullptr);
    }
  // A 0-d space is one element; in place; integers wrap.
  Array x(machine, kInt, {2147483647}), one(machine, kInt, {1});
  binary(BinaryOp::Add, kInt, x.data(), x.data(), one.data(), Dims<3>(), 1, nullptr);
  CHECK(x.values() == Values{-2147483648.0});
  // alpha is exact for int64: 2^53 + 1 has no double.
  Array big(machine, kLong, {0}), unit(machine, kLong, {1}), limit(machine, kLong, {-9007199254740992.0});
  binary(BinaryOp::Add, kLong, big.data(), limit.data(), unit.data(), flat<3>(1), int64_t{9007199254740993},
         nullptr);
  CHECK(big.values() == Values{1});
  // Too many dimensions to walk.
  Dims<3> deep;
  for (int d = 0; d < 17; ++d) deep.push(2, {1, 1, 1});
  CHECK_THROWS_AS(binary(BinaryOp::Add, kInt, x.data(), x.data(), one.data(), deep, 1, nullptr), ValueError);
}

inline void unary_cases(Machine& machine) {
  for (ScalarType dtype : kFloating) {
    const Values va = rounded(dtype, random_values(600, 1, 0.25, 3));
    Array a(machine, dtype, va);
    Dims<2> transposed;  // out [20, 30] = f(a [30, 20].t())
    transposed.push(20, {30, 1});
    transposed.push(30, {1, 20});
    for (int o = 0; o <= static_cast<int>(UnaryOp::Floor); ++o) {
      const UnaryOp op = static_cast<UnaryOp>(o);
      INFO("unary " << o << " on " << std::string(toString(dtype)));
      Array out(machine, dtype, Values(600));
      unary(op, dtype, out.data(), a.data(), transposed, nullptr);
      check_close(out.values(), reference_unary(op, dtype, va, transposed, 600), tolerance(dtype));
      unary(op, dtype, out.data(), a.data(), flat<2>(599), nullptr);
      Values got = out.values(), want = reference_unary(op, dtype, va, flat<2>(599), 600);
      got.back() = want.back() = 0;
      check_close(got, want, tolerance(dtype));
    }
  }
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (UnaryOp op : {UnaryOp::Relu, UnaryOp::Sign, UnaryOp::Tanh, UnaryOp::Sigmoid, UnaryOp::Gelu, UnaryOp::Abs}) {
    INFO("unary " << static_cast<int>(op));
    const Values edges = {nan, inf, -inf, 0.0, -3, -20};
    Array x(machine, kFloat, edges);
    unary(op, kFloat, x.data(), x.data(), flat<2>(6), nullptr);
    check_close(x.values(), reference_unary(op, kFloat, edges, flat<2>(6), 6), tolerance(kFloat));
  }
  for (ScalarType dtype : {kInt, kLong})
    for (UnaryOp op : {UnaryOp::Neg, UnaryOp::Abs, UnaryOp::Sign, UnaryOp::Relu, UnaryOp::Floor}) {
      Array x(machine, dtype, {3, -4, 0});
      unary(op, dtype, x.data(), x.data(), flat<2>(3), nullptr);
      CHECK(x.values() == reference_unary(op, dtype, {3, -4, 0}, flat<2>(3), 3));
    }
  Array n(machine, kLong, {3, -4});
  unary(UnaryOp::Neg, kLong, n.data(), n.data(), flat<2>(2), nullptr);
  CHECK(n.values() == Values{-3, 4});
  CHECK_THROWS_AS(unary(UnaryOp::Exp, kLong, n.data(), n.data(), flat<2>(2), nullptr), NotImplementedError);
  CHECK_THROWS_AS(unary(UnaryOp::Neg, kBool, n.data(), n.data(), flat<2>(2), nullptr), NotImplementedError);
}

inline void where_cases(Machine& machine) {
  for (ScalarType dtype : kAllTypes) {
    const Values va = rounded(dtype, random_values(1030, 1, 1, 5)), vb = rounded(dtype, random_values(1030, 2, 1, 5));
    const Values vc = rounded(kBool, rounded(kInt, random_values(1030, 3, 0, 2)));
    Array c(machine, kBool, vc), a(machine, dtype, va), b(machine, dtype, vb), out(machine, dtype, Values(1030));
    for (bool broadcast : {false, true}) {  // [10, 103]; a is one row for all, b one number
      Dims<4> it;
      it.push(10, {103, 103, broadcast ? 0 : 103, broadcast ? 0 : 103});
      it.push(103, {1, 1, 1, broadcast ? 0 : 1});
      where(dtype, out.data(), static_cast<const bool*>(c.data()), a.data(), b.data(), it, nullptr);
      Values want(1030);
      for (size_t i = 0; i < 1030; ++i) want[i] = vc[i] != 0 ? va[broadcast ? i % 103 : i] : vb[broadcast ? 0 : i];
      CHECK(out.values() == want);
    }
  }
  CHECK_THROWS_AS(where(ScalarType::Byte, nullptr, nullptr, nullptr, nullptr, Dims<4>(), nullptr),
                  NotImplementedError);
}

inline void copy_cases(Machine& machine) {
  const Values numbers = {0, 1, -1, 2.5, -3.75, 100};
  for (ScalarType from : kAllTypes)
    for (ScalarType to : kAllTypes) {
      INFO("copy " << toString(from) << " to " << toString(to));
      const Values held = rounded(from, numbers);
      Array src(machine, from, numbers), dst(machine, to, Values(6, 9));
      copy(to, dst.data(), from, src.data(), flat<2>(6), nullptr);
      CHECK(dst.values() == rounded(to, held));
      Dims<2> backwards;  // a stride below 0: flip
      backwards.push(6, {1, -1});
      copy(to, dst.data(), from, static_cast<const char*>(src.data()) + 5 * elementSize(from), backwards, nullptr);
      CHECK(dst.values() == rounded(to, Values(held.rbegin(), held.rend())));
    }
  Array row(machine, kFloat, {1, 2, 3}), wide(machine, kDouble, Values(6));
  Dims<2> broadcast;  // dst [2, 3] = src [3]
  broadcast.push(2, {3, 0});
  broadcast.push(3, {1, 1});
  copy(kDouble, wide.data(), kFloat, row.data(), broadcast, nullptr);
  CHECK(wide.values() == Values{1, 2, 3, 1, 2, 3});

  for (ScalarType dtype : kAllTypes) {
    Array x(machine, dtype, Values(5, 0));
    Dims<1> every_second;
    every_second.push(3, {2});
    fill(dtype, x.data(), -1.5, every_second, nullptr);
    const double v = rounded(dtype, {-1.5})[0];
    CHECK(x.values() == Values{v, 0, v, 0, v});
    fill(dtype, x.data(), 1, flat<1>(0), nullptr);
    CHECK(x.values() == Values{v, 0, v, 0, v});
  }
  CHECK_THROWS_AS(fill(ScalarType::Byte, nullptr, 1, flat<1>(0), nullptr), NotImplementedError);
  CHECK_THROWS_AS(copy(kFloat, nullptr, ScalarType::Undefined, nullptr, flat<2>(0), nullptr),
                  NotImplementedError);
}

}  // namespace gb::cuda::cases
