// What every rung of the linear ladder must do.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "kernels/cuda/backends.h"
#include "kernels/cuda/cases/machine.h"
#include "kernels/cuda/linear/gemm.h"

namespace gb::cuda::cases {

// Strides of a [rows, cols] matrix: row-major, column-major (a transposed view), or neither (every second
// element).
enum class Layout { Rows, Columns, Gaps };
struct Shape2 {
  int64_t rows, cols;
  Layout layout;
  int64_t row_stride() const {
    return layout == Layout::Rows ? cols : layout == Layout::Columns ? 1 : 2 * cols;
  }
  int64_t col_stride() const { return layout == Layout::Rows ? 1 : layout == Layout::Columns ? rows : 2; }
  size_t numel() const { return static_cast<size_t>(2 * rows * cols); }  // room for each layout
  size_t at(int64_t i, int64_t j) const { return static_cast<size_t>(i * row_stride() + j * col_stride()); }
};

inline void gemm_matches(Machine& machine, const GemmRung& rung, ScalarType dtype, int64_t m, int64_t n,
                         int64_t k, Layout la, Layout lb, Layout ld, double alpha, double beta) {
  INFO(std::string(rung.name) << " on " << std::string(toString(dtype)) << " m=" << m << " n=" << n
                              << " k=" << k << " layouts " << static_cast<int>(la) << static_cast<int>(lb)
                              << static_cast<int>(ld) << " alpha=" << alpha << " beta=" << beta);
  const Shape2 sa{m, k, la}, sb{k, n, lb}, sd{m, n, ld};
  const Values va = rounded(dtype, random_values(sa.numel(), 1)),
               vb = rounded(dtype, random_values(sb.numel(), 2));
  const Values bias = rounded(dtype, random_values(static_cast<size_t>(n), 3)), before(sd.numel(), 7);
  Array a(machine, dtype, va), b(machine, dtype, vb), c(machine, dtype, bias), d(machine, dtype, before);

  GemmArgs args;
  args.dtype = dtype;
  args.m = m, args.n = n, args.k = k;
  args.alpha = alpha, args.beta = beta;
  args.a = {a.data(), sa.row_stride(), sa.col_stride()};
  args.b = {b.data(), sb.row_stride(), sb.col_stride()};
  args.c = {beta == 0 ? nullptr : c.data(), 0, 1};  // one row for all, as addmm's bias
  args.d = {d.data(), sd.row_stride(), sd.col_stride()};
  gemm(args, nullptr);

  Values want = before;  // what lies between the elements of d stays
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t p = 0; p < k; ++p) sum += va[sa.at(i, p)] * vb[sb.at(p, j)];
      want[sd.at(i, j)] = alpha * sum + (beta == 0 ? 0 : beta * bias[static_cast<size_t>(j)]);
    }
  check_close(d.values(), want, tolerance(dtype), 2);
}

inline void linear_matches(Machine& machine, ScalarType dtype, int64_t rows, int64_t in, int64_t out,
                           bool with_bias) {
  INFO("linear on " << std::string(toString(dtype)) << " rows=" << rows << " in=" << in << " out=" << out);
  const auto size = [](int64_t n) { return static_cast<size_t>(n); };
  const Values vx = rounded(dtype, random_values(size(rows * in), 1)),
               vw = rounded(dtype, random_values(size(out * in), 2));
  const Values vb = rounded(dtype, random_values(size(out), 3));
  Array x(machine, dtype, vx), w(machine, dtype, vw), b(machine, dtype, vb),
      y(machine, dtype, Values(size(rows * out), 7));
  linear(dtype, y.data(), x.data(), w.data(), with_bias ? b.data() : nullptr, rows, in, out, nullptr);
  Values want(size(rows * out));
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t o = 0; o < out; ++o) {
      double sum = with_bias ? vb[size(o)] : 0;
      for (int64_t i = 0; i < in; ++i) sum += vx[size(r * in + i)] * vw[size(o * in + i)];
      want[size(r * out + o)] = sum;
    }
  check_close(y.values(), want, tolerance(dtype), 4);
}

// d [3, 5, 7] = 2 a b + c, with b one matrix for all and c one row for all; and a batch of none.
inline void batch_matches(Machine& machine, const GemmRung& rung, ScalarType dtype) {
  INFO(rung.name << " on " << toString(dtype) << ", a batch");
  const Values va = rounded(dtype, random_values(3 * 5 * 4, 1)), vb = rounded(dtype, random_values(4 * 7, 2)),
               vc = rounded(dtype, random_values(7, 3));
  Array a(machine, dtype, va), b(machine, dtype, vb), c(machine, dtype, vc), d(machine, dtype, Values(3 * 5 * 7, 9));
  GemmArgs args;
  args.dtype = dtype;
  args.batch = 3, args.m = 5, args.n = 7, args.k = 4;
  args.alpha = 2, args.beta = 1;
  args.a = {a.data(), 4, 1, 20};
  args.b = {b.data(), 7, 1, 0};
  args.c = {c.data(), 0, 1, 0};
  args.d = {d.data(), 7, 1, 35};
  gemm(args, nullptr);
  Values want(3 * 5 * 7);
  for (size_t i = 0; i < 15; ++i)
    for (size_t j = 0; j < 7; ++j) {
      double sum = 0;
      for (size_t p = 0; p < 4; ++p) sum += va[i * 4 + p] * vb[p * 7 + j];
      want[i * 7 + j] = 2 * sum + vc[j];
    }
  check_close(d.values(), want, tolerance(dtype), 2);
  args.batch = 0;
  gemm(args, nullptr);
}

inline void activation_matches(Machine& machine, const GemmRung& rung, Activation activation) {
  INFO(rung.name << " with activation " << static_cast<int>(activation));
  const Values before = {-2, -0.5, 0, 0.5, 2};  // d = activation(1 * before + 0.25)
  Array a(machine, kFloat, {1}), b(machine, kFloat, before), c(machine, kFloat, {0.25}), d(machine, kFloat, Values(5));
  GemmArgs args;
  args.m = args.k = 1, args.n = 5;
  args.a = {a.data(), 1, 1};
  args.b = {b.data(), 5, 1};
  args.beta = 1;
  args.c = {c.data(), 0, 0};
  args.d = {d.data(), 5, 1};
  args.activation = activation;
  gemm(args, nullptr);
  Values want;
  for (double x : before) {
    x += 0.25;
    want.push_back(activation == Activation::Relu ? std::max(x, 0.0)
                                                  : 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))));
  }
  check_close(d.values(), want, tolerance(kFloat), 2);
}

inline void linear_cases(Machine& machine) {
  constexpr Layout kLayouts[] = {Layout::Rows, Layout::Columns, Layout::Gaps};
  for (const GemmRung& rung : linear_rungs()) {
    if (machine.is_host() && !rung.host_runner) continue;
    const backends::cuda::LinearRungGuard choice(rung.name);  // where it cannot take a call, the one below runs
    for (ScalarType dtype : kFloating) batch_matches(machine, rung, dtype);
    for (ScalarType dtype : kFloating)
      for (Layout la : kLayouts)
        for (Layout lb : kLayouts)
          for (Layout ld : kLayouts) gemm_matches(machine, rung, dtype, 5, 7, 3, la, lb, ld, 1, 0);
    for (ScalarType dtype : kFloating) {
      gemm_matches(machine, rung, dtype, 2, 600, 64, Layout::Rows, Layout::Columns, Layout::Rows, 1, 1);
      gemm_matches(machine, rung, dtype, 33, 17, 9, Layout::Columns, Layout::Rows, Layout::Rows, 0.5, -2);
      for (auto [m, n, k] : {std::tuple<int64_t, int64_t, int64_t>{1, 1, 1},
                             {1, 9, 4},
                             {9, 1, 4},
                             {4, 5, 1},
                             {0, 3, 2},
                             {3, 0, 2},
                             {3, 2, 0}})
        for (double beta : {0.0, 1.0})
          gemm_matches(machine, rung, dtype, m, n, k, Layout::Rows, Layout::Columns, Layout::Rows, 1, beta);
    }

    for (Activation activation : {Activation::Relu, Activation::Gelu}) activation_matches(machine, rung, activation);

    // beta == 0 does not read c: a NaN in d itself does not spread.
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Array a(machine, kFloat, {2}), b(machine, kFloat, {3}), d(machine, kFloat, {nan});
    GemmArgs args;
    args.m = args.n = args.k = 1;
    args.a = {a.data(), 1, 1};
    args.b = {b.data(), 1, 1};
    args.c = {d.data(), 1, 1};
    args.d = {d.data(), 1, 1};
    gemm(args, nullptr);
    CHECK(d.values() == Values{6});
    args.beta = 0.5;
    gemm(args, nullptr);  // c is d
    CHECK(d.values() == Values{9});
    args.dtype = kLong;
    CHECK_THROWS_AS(gemm(args, nullptr), NotImplementedError);
  }
  for (ScalarType dtype : kFloating) {
    linear_matches(machine, dtype, 2, 64, 600, true);
    linear_matches(machine, dtype, 3, 5, 4, false);
    linear_matches(machine, dtype, 0, 5, 4, true);
  }
}

}  // namespace gb::cuda::cases
