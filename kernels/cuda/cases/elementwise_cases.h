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

inline double reference_binary(BinaryOp op, double a, double b, double alpha) {
  switch (op) {
    case BinaryOp::Add:
      return a + alpha * b;
    case BinaryOp::Sub:
      return a - alpha * b;
    case BinaryOp::Mul:
      return a * b;
    case BinaryOp::Div:
      return a / b;
    case BinaryOp::Eq:
      return a == b;
    case BinaryOp::Ne:
      return a != b;
    case BinaryOp::Lt:
      return a < b;
    case BinaryOp::Le:
      return a <= b;
    case BinaryOp::Gt:
      return a > b;
    case BinaryOp::Ge:
      return a >= b;
    default:
      break;  // no CUDA kernel
  }
  return 0;
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
  Values want(1800);
  for (size_t i = 0; i < 2; ++i)
    for (size_t j = 0; j < 3; ++j)
      for (size_t k = 0; k < 300; ++k)
        want[i * 900 + j * 300 + k] = reference_binary(op, va[i * 300 + k], vb[j], alpha);
  if (out_dtype == kBool) want = rounded(kBool, want);
  check_close(out.values(), want, tolerance(dtype));
}

inline void binary_cases(Machine& machine) {
  for (ScalarType dtype : kAllTypes)
    for (int o = 0; o <= static_cast<int>(BinaryOp::Ge); ++o) {
      const BinaryOp op = static_cast<BinaryOp>(o);
      const bool refused =
          (op == BinaryOp::Div && !isFloatingType(dtype)) || (op == BinaryOp::Sub && dtype == kBool);
      if (!refused) binary_broadcasts(machine, op, dtype);
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
    for (int o = 0; o <= static_cast<int>(UnaryOp::Reciprocal); ++o) {
      const UnaryOp op = static_cast<UnaryOp>(o);
      INFO("unary " << o << " on " << std::string(toString(dtype)));
      Array out(machine, dtype, Values(600));
      unary(op, dtype, out.data(), a.data(), transposed, nullptr);
      Values want(600);
      for (size_t i = 0; i < 20; ++i)
        for (size_t j = 0; j < 30; ++j) {
          const double v = va[j * 20 + i];
          want[i * 30 + j] = op == UnaryOp::Neg    ? -v
                             : op == UnaryOp::Exp  ? std::exp(v)
                             : op == UnaryOp::Log  ? std::log(v)
                             : op == UnaryOp::Sqrt ? std::sqrt(v)
                                                   : 1 / v;
        }
      check_close(out.values(), want, tolerance(dtype));
    }
  }
  Array n(machine, kLong, {3, -4});
  unary(UnaryOp::Neg, kLong, n.data(), n.data(), flat<2>(2), nullptr);
  CHECK(n.values() == Values{-3, 4});
  CHECK_THROWS_AS(unary(UnaryOp::Exp, kLong, n.data(), n.data(), flat<2>(2), nullptr), NotImplementedError);
  CHECK_THROWS_AS(unary(UnaryOp::Neg, kBool, n.data(), n.data(), flat<2>(2), nullptr), NotImplementedError);
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
