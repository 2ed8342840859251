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

// Strides of a [rows, cols] matrix: row-major, column-major (a transposed view), neither (every second element), or the
// first two with lines that begin at multiples of 16 elements whatever the sizes: kernels that load vectors take those.
enum class Layout { Rows, Columns, Gaps, AlignedRows, AlignedColumns };
struct Shape2 {
  int64_t rows, cols;
  Layout layout;
  static int64_t aligned(int64_t n) { return (n + 15) / 16 * 16; }
  int64_t row_stride() const {
    switch (layout) {
      case Layout::Rows:
        return cols;
      case Layout::AlignedRows:
        return aligned(cols);
      case Layout::Gaps:
        return 2 * cols;
      default:
        return 1;
    }
  }
  int64_t col_stride() const {
    switch (layout) {
      case Layout::Columns:
        return rows;
      case Layout::AlignedColumns:
        return aligned(rows);
      case Layout::Gaps:
        return 2;
      default:
        return 1;
    }
  }
  // Exactly as far as the last element, so that the address sanitizer sees what is read beyond; for Gaps two more.
  size_t numel() const {
    if (rows == 0 || cols == 0) return 0;
    return at(rows - 1, cols - 1) + (layout == Layout::Gaps ? 2 : 1);
  }
  size_t at(int64_t i, int64_t j) const { return static_cast<size_t>(i * row_stride() + j * col_stride()); }
};

struct Extra {
  bool c_is_d = false;  // else c is one row for all, as addmm's bias
  int64_t offset = 0;   // elements from the start of each array to its matrix: an odd one is no multiple of 16 bytes
  bool allow_tf32 = false;
  Activation activation = Activation::None;
  bool only_if_taken = false;  // by the rung itself: what it leaves to the rung below has been tried there
};
struct Product2 {
  ScalarType dtype;
  int64_t m, n, k;
  Layout a, b, d;
  double alpha = 1, beta = 0;
  Extra extra = {};
};

inline double activated(double x, Activation activation) {
  if (activation == Activation::Relu) return std::max(x, 0.0);
  if (activation == Activation::Gelu)
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
  return x;
}

// False: p.extra.only_if_taken, and the rung does not take it.
inline bool gemm_matches(Machine& machine, const GemmRung& rung, const Product2& p) {
  INFO(std::string(rung.name) << " on " << std::string(toString(p.dtype)) << " m=" << p.m << " n=" << p.n
                              << " k=" << p.k << " layouts " << static_cast<int>(p.a) << static_cast<int>(p.b)
                              << static_cast<int>(p.d)
                              << " alpha=" << p.alpha << " beta=" << p.beta << " offset=" << p.extra.offset
                              << " allow_tf32=" << p.extra.allow_tf32
                              << " activation=" << static_cast<int>(p.extra.activation));
  const Shape2 sa{p.m, p.k, p.a}, sb{p.k, p.n, p.b}, sd{p.m, p.n, p.d};
  const size_t skip = static_cast<size_t>(p.extra.offset);
  const Values va = rounded(p.dtype, random_values(skip + sa.numel(), 1)),
               vb = rounded(p.dtype, random_values(skip + sb.numel(), 2));
  const Values bias = rounded(p.dtype, random_values(static_cast<size_t>(p.n), 3));
  const size_t of_d = skip + sd.numel();
  const Values before = p.extra.c_is_d ? rounded(p.dtype, random_values(of_d, 4)) : Values(of_d, 7);
  Array a(machine, p.dtype, va), b(machine, p.dtype, vb), c(machine, p.dtype, bias), d(machine, p.dtype, before);
  const auto at_offset = [&](const Array& array) {
    return static_cast<char*>(array.data()) + skip * elementSize(p.dtype);
  };

  GemmArgs args;
  args.dtype = p.dtype;
  args.m = p.m, args.n = p.n, args.k = p.k;
  args.alpha = p.alpha, args.beta = p.beta;
  args.a = {at_offset(a), sa.row_stride(), sa.col_stride()};
  args.b = {at_offset(b), sb.row_stride(), sb.col_stride()};
  args.d = {at_offset(d), sd.row_stride(), sd.col_stride()};
  if (p.extra.c_is_d)
    args.c = {args.d.data, sd.row_stride(), sd.col_stride()};
  else
    args.c = {p.beta == 0 ? nullptr : c.data(), 0, 1};
  args.allow_tf32 = p.extra.allow_tf32;
  args.activation = p.extra.activation;
  if (p.extra.only_if_taken && !rung.takes(args)) return false;
  gemm(args, nullptr);

  Values want = before;  // what lies between the elements of d stays
  double magnitude = 0;  // the largest sum of absolute values
  for (int64_t i = 0; i < p.m; ++i)
    for (int64_t j = 0; j < p.n; ++j) {
      double sum = 0, absolute = 0;
      for (int64_t e = 0; e < p.k; ++e) {
        const double term = va[skip + sa.at(i, e)] * vb[skip + sb.at(e, j)];
        sum += term;
        absolute += std::abs(term);
      }
      const size_t place = skip + sd.at(i, j);
      const double addend = p.beta == 0 ? 0 : p.beta * (p.extra.c_is_d ? before[place] : bias[static_cast<size_t>(j)]);
      want[place] = activated(p.alpha * sum + addend, p.extra.activation);
      magnitude = std::max(magnitude, std::abs(p.alpha) * absolute);
    }
  // One rounding to dtype, and the rounding of sums: up to 64 terms the dtype's tolerance holds both; of more terms
  // each addition may err by 2^-24 of the partial sum, which is far below the sum of absolute values; 8 such steps are
  // allowed of it. TF32 rounds each factor by up to 2^-11, so each term by a little more than 2^-10.
  double of_sum = p.k > 64 && p.dtype != kDouble ? 0x1p-21 : 0;
  if (p.extra.allow_tf32) of_sum += 0x1.01p-10;
  check_close(d.values(), want, tolerance(p.dtype), 2 + of_sum * magnitude / tolerance(p.dtype));
  return true;
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
    want.push_back(activated(x, activation));
  }
  check_close(d.values(), want, tolerance(kFloat), 2);
}

// GELU of half types, by their own formula: also where its exponential is 0 or infinity.
inline void gelu_of_halves_matches(Machine& machine, const GemmRung& rung, ScalarType dtype) {
  INFO(rung.name << " with gelu of " << toString(dtype));
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const Values x = rounded(dtype, {-inf, -6e4, -50, -9.3, -4, -1.5, -0.75, 0, 1e-3, 0.5, 2, 5, 12, 6e4, inf, nan});
  const auto n = static_cast<int64_t>(x.size());
  Array a(machine, dtype, {1}), b(machine, dtype, x), d(machine, dtype, Values(x.size()));
  GemmArgs args;
  args.dtype = dtype;
  args.m = args.k = 1, args.n = n;
  args.a = {a.data(), 1, 1};
  args.b = {b.data(), n, 1};
  args.d = {d.data(), n, 1};
  args.activation = Activation::Gelu;
  gemm(args, nullptr);
  Values want;
  for (double e : x) want.push_back(activated(e, Activation::Gelu));
  check_close(d.values(), want, tolerance(dtype), 1e-2);
}

// Sizes just over a tile, in the layouts of a Linear's three products, and in the fourth, from aligned addresses and
// from others; long lines, which are cut in parts; d as its own c. Many threads with little to do are slow on the
// host: the rungs below 5 (small), whose tiles are at most 64 wide, get a seventh of the rows and columns.
inline void edges_match(Machine& machine, const GemmRung& rung, bool small) {
  using enum Layout;
  int taken = 0;
  const auto edge = [&](Product2 p) {
    if (small) p.m = (p.m + 6) / 7, p.n = (p.n + 6) / 7;
    p.extra.only_if_taken = true;
    taken += gemm_matches(machine, rung, p);
  };
  const struct {
    Layout a, b;
  } kOperands[] = {{AlignedRows, AlignedColumns}, {AlignedRows, AlignedRows}, {AlignedColumns, AlignedRows},
                   {AlignedColumns, AlignedColumns}};
  for (auto [a, b] : kOperands) {
    for (ScalarType dtype : {kFloat, kHalf, kBFloat16}) {
      edge({dtype, 129, 70, 33, a, b, AlignedRows, 1, 1});
      edge({dtype, 17, 20, 40, a, b, Rows, 1, 0, {.offset = 1}});
    }
    edge({kFloat, 129, 257, 33, a, b, AlignedRows, 1, 0, {.allow_tf32 = true}});
    edge({kFloat, 30, 40, 100, a, b, Columns, 1, 0, {.allow_tf32 = true}});
  }
  for (ScalarType dtype : {kFloat, kHalf, kBFloat16}) edge({dtype, 9, 70, 530, AlignedRows, AlignedColumns, Rows, 2});
  edge({kFloat, 70, 9, 530, AlignedColumns, AlignedRows, Rows, 1, 1});
  edge({kHalf, 40, 72, 530, AlignedColumns, AlignedRows, AlignedRows});
  edge({kFloat, 129, 257, 20, Rows, Columns, Columns, 1, 0, {.activation = Activation::Relu}});
  edge({kFloat, 130, 500, 17, AlignedRows, AlignedRows, Rows, 1, 0, {.activation = Activation::Gelu}});
  edge({kFloat, 280, 250, 9, AlignedColumns, AlignedRows, AlignedRows, 1, 0.5, {.c_is_d = true}});
  edge({kDouble, 129, 40, 33, Rows, Columns, Rows});
  edge({kBFloat16, 130, 136, 70, AlignedRows, AlignedColumns, AlignedRows, 1, 0.5, {.c_is_d = true}});
  edge({kHalf, 1, 600, 64, Rows, Columns, Rows, 1, 0, {.activation = Activation::Gelu}});
  CHECK_MESSAGE(taken >= 3, std::string(rung.name) << " took " << taken << " of the cases of edges");
}

inline void linear_cases(Machine& machine) {
  constexpr Layout kLayouts[] = {Layout::Rows, Layout::Columns, Layout::Gaps};
  const Extra taken = {.only_if_taken = true};
  for (const GemmRung& rung : linear_rungs()) {
    if (machine.is_host() && !rung.host_runner) continue;
    const backends::cuda::LinearRungGuard choice(rung.name);  // where it cannot take a call, the one below runs
    for (ScalarType dtype : kFloating) batch_matches(machine, rung, dtype);
    for (ScalarType dtype : kFloating)
      for (Layout la : kLayouts)
        for (Layout lb : kLayouts)
          for (Layout ld : kLayouts)
            gemm_matches(machine, rung, {dtype, 5, 7, 3, la, lb, ld, 1, 0, taken});
    for (ScalarType dtype : kFloating) {
      gemm_matches(machine, rung, {dtype, 2, 600, 64, Layout::Rows, Layout::Columns, Layout::Rows, 1, 1, taken});
      gemm_matches(machine, rung, {dtype, 33, 17, 9, Layout::Columns, Layout::Rows, Layout::Rows, 0.5, -2, taken});
      for (auto [m, n, k] : {std::tuple<int64_t, int64_t, int64_t>{1, 1, 1},
                             {1, 9, 4},
                             {9, 1, 4},
                             {4, 5, 1},
                             {0, 3, 2},
                             {3, 0, 2},
                             {3, 2, 0}})
        for (double beta : {0.0, 1.0})
          gemm_matches(machine, rung, {dtype, m, n, k, Layout::Rows, Layout::Columns, Layout::Rows, 1, beta});
    }

    edges_match(machine, rung, &rung - linear_rungs().data() < 4);
    for (Activation activation : {Activation::Relu, Activation::Gelu}) activation_matches(machine, rung, activation);
    for (ScalarType dtype : {kHalf, kBFloat16}) gelu_of_halves_matches(machine, rung, dtype);

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
