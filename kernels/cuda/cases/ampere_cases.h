// What the instructions of cp_async.h and mma_sync.h do: the same on the host, where they are written out in C++, and
// on a GPU.
#pragma once

#include <limits>

#include "kernels/cuda/ampere_checks/ampere_checks.h"
#include "kernels/cuda/cases/machine.h"

namespace gb::cuda::cases {

inline void copy_matches(Machine& machine, int size) {
  INFO("cp.async of " << size << " bytes");
  const size_t words = static_cast<size_t>(size) / 4;
  const Values in = rounded(kFloat, random_values(32 * words, 5, 1, 2));
  Array from(machine, kFloat, in), to(machine, kFloat, Values(in.size(), -2));
  ampere_checks::copy(static_cast<float*>(to.data()), static_cast<const float*>(from.data()), size);
  Values want = in;
  for (size_t lane = 0; lane < 32; ++lane)
    for (size_t w = lane % (words + 1); w < words; ++w) want[lane * words + w] = 0;
  CHECK(to.values() == want);
}

inline void ldmatrix_matches(Machine& machine, bool trans) {
  INFO("ldmatrix" << (trans ? ", transposed" : ""));
  Values rows(32 * 8);  // element (row, column) of the 32 lines: a number that bfloat16 holds
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<double>(i);
  Array from(machine, kBFloat16, rows), to(machine, kBFloat16, Values(rows.size(), -1));
  ampere_checks::ldmatrix(to.data(), from.data(), trans);
  Values want;
  for (size_t lane = 0; lane < 32; ++lane)
    for (size_t q = 0; q < 4; ++q)
      for (size_t half = 0; half < 2; ++half) {
        const size_t line = lane / 4, column = lane % 4 * 2 + half;
        want.push_back(trans ? rows[(8 * q + column) * 8 + line] : rows[(8 * q + line) * 8 + column]);
      }
  CHECK(to.values() == want);
}

// whole: small whole numbers, whose sums are exact; else the rounding of the sums is allowed for: a GPU may cut off
// what is below 2^-23 of the largest term at each of its additions.
inline void mma_matches(Machine& machine, ScalarType dtype, bool whole) {
  INFO("mma of " << std::string(toString(dtype)) << (whole ? ", whole numbers" : ""));
  const size_t k = dtype == kFloat ? 8 : 16;
  const auto numbers = [&](size_t n, unsigned seed) {
    Values values = random_values(n, seed, -8, 8);
    if (whole)
      for (double& v : values) v = std::floor(v);
    return rounded(dtype, values);
  };
  const Values a = numbers(16 * k, 1), b = numbers(k * 8, 2);
  const Values c = rounded(kFloat, numbers(16 * 8, 3));
  Array of_a(machine, dtype, a), of_b(machine, dtype, b), of_c(machine, kFloat, c);
  Array d(machine, kFloat, Values(16 * 8, -1));
  ampere_checks::mma(dtype, static_cast<float*>(d.data()), of_a.data(), of_b.data(),
                     static_cast<const float*>(of_c.data()));

  const auto factor = [&](double x) {  // as the multiplier sees it
    if (dtype != kFloat) return x;
    const double unit = std::ldexp(1, std::ilogb(x) - 10);  // of TF32's last place
    return x == 0 ? 0 : std::round(x / unit) * unit;        // ties away from zero
  };
  Values want;
  double largest = 0;
  for (size_t i = 0; i < 16; ++i)
    for (size_t j = 0; j < 8; ++j) {
      double sum = c[i * 8 + j], absolute = std::abs(sum);
      for (size_t p = 0; p < k; ++p) {
        const double term = factor(a[i * k + p]) * factor(b[p * 8 + j]);
        sum += term;
        absolute += std::abs(term);
      }
      want.push_back(sum);
      largest = std::max(largest, absolute);
    }
  if (whole)
    CHECK(d.values() == want);
  else
    check_close(d.values(), want, static_cast<double>(k + 1) * 0x1p-23, largest);
}

inline void tf32_matches(Machine& machine) {
  const double unit = 0x1p-10, infinity = std::numeric_limits<double>::infinity();
  Values in = {1, 1 + unit, 1 + 0.5 * unit, 1 + 0.49 * unit, 1 + 1.5 * unit, -1 - 0.5 * unit, infinity, -infinity,
               0x1.fffffep127,   // the largest float rounds to infinity
               std::numeric_limits<double>::quiet_NaN()};
  Values want = {1, 1 + unit, 1 + unit, 1, 1 + 2 * unit, -1 - unit, infinity, -infinity, infinity, in.back()};
  in.resize(32), want.resize(32);
  Array from(machine, kFloat, in), to(machine, kFloat, Values(32, -1));
  ampere_checks::to_tf32(static_cast<float*>(to.data()), static_cast<const float*>(from.data()));
  check_close(to.values(), want, 0);
}

inline void ampere_cases(Machine& machine) {
  for (int size : {4, 8, 16}) copy_matches(machine, size);
  for (bool trans : {false, true}) ldmatrix_matches(machine, trans);
  for (ScalarType dtype : {kFloat, kHalf, kBFloat16})
    for (bool whole : {true, false}) mma_matches(machine, dtype, whole);
  tf32_matches(machine);
}

}  // namespace gb::cuda::cases
