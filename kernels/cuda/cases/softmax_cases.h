// What every rung of the softmax ladder must do.
#pragma once

#include <limits>

#include "core/error.h"
#include "kernels/cuda/cases/machine.h"
#include "kernels/cuda/softmax/softmax.h"

namespace gb::cuda::cases {

// x: [rows, cols]
inline Values reference_softmax(const Values& x, int64_t rows, int64_t cols) {
  Values y(x.size());
  for (int64_t r = 0; r < rows; ++r) {
    double max = -std::numeric_limits<double>::infinity();
    long double sum = 0;  // more than double has, or the reference would be what is off
    for (int64_t c = 0; c < cols; ++c) max = std::max(max, x[r * cols + c]);
    for (int64_t c = 0; c < cols; ++c) sum += std::exp(x[r * cols + c] - max);
    for (int64_t c = 0; c < cols; ++c) y[r * cols + c] = static_cast<double>(std::exp(x[r * cols + c] - max) / sum);
  }
  return y;
}

// dy, y: [rows, cols]
inline Values reference_softmax_backward(const Values& dy, const Values& y, int64_t rows, int64_t cols) {
  Values dx(y.size());
  for (int64_t r = 0; r < rows; ++r) {
    double dot = 0;
    for (int64_t c = 0; c < cols; ++c) dot += dy[r * cols + c] * y[r * cols + c];
    for (int64_t c = 0; c < cols; ++c) dx[r * cols + c] = y[r * cols + c] * (dy[r * cols + c] - dot);
  }
  return dx;
}

inline Values reference_log_softmax_backward(const Values& dy, const Values& y, int64_t rows, int64_t cols) {
  Values dx(y.size());
  for (int64_t r = 0; r < rows; ++r) {
    double total = 0;
    for (int64_t c = 0; c < cols; ++c) total += dy[r * cols + c];
    for (int64_t c = 0; c < cols; ++c)
      dx[r * cols + c] = dy[r * cols + c] - std::exp(y[r * cols + c]) * total;
  }
  return dx;
}

// Rows of a matrix in memory: `offset` elements before the first, `gap` elements after each. Values elsewhere: -7.
struct Placing {
  int64_t offset = 0, gap = 0;
};
inline Values laid_out(const Values& x, int64_t rows, int64_t cols, Placing layout) {
  Values memory(static_cast<size_t>(layout.offset + rows * (cols + layout.gap)), -7);
  for (int64_t r = 0; r < rows; ++r)
    std::copy_n(x.begin() + r * cols, cols, memory.begin() + layout.offset + r * (cols + layout.gap));
  return memory;
}
inline char* at(const Array& array, ScalarType dtype, int64_t offset) {
  return static_cast<char*>(array.data()) + offset * static_cast<int64_t>(elementSize(dtype));
}

inline Values log_of(Values x) {
  for (double& v : x) v = std::log(v);
  return x;
}

// What a rung may be off: rounding, and half a unit for each element that a thread adds up one after the other. The
// lowest has one thread for the row, the others at least 256 for a long one.
inline double rung_tolerance(const SoftmaxRung& rung, ScalarType dtype, int64_t cols) {
  const double chain = static_cast<double>(cols) / (rung.forward == softmax_rungs()[0].forward ? 1 : 256);
  return tolerance(dtype) + std::ldexp(chain, dtype == kDouble ? -54 : -25);
}
// The size below which errors count absolutely: an average element, or where numbers of the dtype become subnormal.
inline double smallest_scale(ScalarType dtype, int64_t cols) {
  return std::max(1.0 / static_cast<double>(cols), dtype == kHalf ? std::ldexp(1.0, -14) : 0.0);
}

// One rung, forward and backward, against double: out lies at out_offset, in and grad as `layout` says. Nothing is
// written beside the results.
inline void softmax_matches(Machine& machine, const SoftmaxRung& rung, ScalarType dtype, bool log, int64_t rows,
                            int64_t cols, Placing layout = {}, int64_t out_offset = 0) {
  INFO(std::string(rung.name) << std::string(log ? " log_softmax on " : " softmax on ") << std::string(toString(dtype)) << " [" << rows << ", " << cols
                 << "], offsets " << layout.offset << " and " << out_offset << ", gap " << layout.gap);
  const size_t n = static_cast<size_t>(rows * cols);
  const Values x = rounded(dtype, random_values(n, 1, -8, 8)), dy = rounded(dtype, random_values(n, 2));
  const Placing out_layout{out_offset, 0};
  Array in(machine, dtype, laid_out(x, rows, cols, layout));
  Array out(machine, dtype, laid_out(Values(n, -1), rows, cols, out_layout));
  const SoftmaxArgs args{dtype, log, at(out, dtype, out_offset), at(in, dtype, layout.offset),
                         rows,  cols, cols + layout.gap, nullptr};
  if (!rung.takes_forward(args)) return;
  rung.forward(args);
  const Values softmax = reference_softmax(x, rows, cols);
  const double scale = log ? 1 : smallest_scale(dtype, cols);
  check_close(out.values(), laid_out(log ? log_of(softmax) : softmax, rows, cols, out_layout),
              rung_tolerance(rung, dtype, cols), scale);

  if (!rung.backward) return;
  const Values y = rounded(dtype, log ? log_of(softmax) : softmax);
  Array output(machine, dtype, laid_out(y, rows, cols, out_layout));
  Array grad(machine, dtype, laid_out(dy, rows, cols, layout));
  Array grad_input(machine, dtype, laid_out(Values(n, -1), rows, cols, out_layout));
  const SoftmaxBackwardArgs back{dtype,
                                 log,
                                 at(grad_input, dtype, out_offset),
                                 at(grad, dtype, layout.offset),
                                 at(output, dtype, out_offset),
                                 rows,
                                 cols,
                                 cols + layout.gap,
                                 nullptr};
  if (!rung.takes_backward(back)) return;
  rung.backward(back);
  const Values want = log ? reference_log_softmax_backward(dy, y, rows, cols)
                          : reference_softmax_backward(dy, y, rows, cols);
  check_close(grad_input.values(), laid_out(want, rows, cols, out_layout), 4 * rung_tolerance(rung, dtype, cols),
              log ? 1 : scale);
}

// One row each: large values, a -inf, a +inf, a NaN, only -inf, only the lowest number that a mask is made of, and large
// values of either sign; between the first and the last column -3, or in the masked row again the lowest.
inline void special_rows(Machine& machine, const SoftmaxRung& rung, ScalarType dtype, int64_t cols) {
  INFO(std::string(rung.name) << " special rows of " << cols << " " << std::string(toString(dtype)));
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const double lowest = dtype == kHalf ? -65504 : dtype == kBFloat16 ? -0x1.fep127 : -3e38, large = dtype == kHalf ? 6e4 : 1e10;
  const Values first = {1000, -inf, inf, nan, -inf, lowest, large, -large, -large},
               last = {1001, 2, 1, 1, -inf, lowest, large, -large, large};
  const int64_t rows = static_cast<int64_t>(first.size());
  Values x(rows * cols, -3), want;
  for (int64_t r = 0; r < rows; ++r) {
    if (r == 4 || r == 5 || r == 7) std::fill_n(x.begin() + r * cols, cols, first[r]);
    x[r * cols] = first[r];
    x[r * cols + cols - 1] = last[r];
  }
  Array in(machine, dtype, x), out(machine, dtype, Values(rows * cols, -1));
  const SoftmaxArgs args{dtype, false, out.data(), in.data(), rows, cols, cols, nullptr};
  if (!rung.takes_forward(args)) return;
  rung.forward(args);
  want = reference_softmax(rounded(dtype, x), rows, cols);
  check_close(out.values(), want, rung_tolerance(rung, dtype, cols),
              smallest_scale(dtype, cols));
  CHECK(std::isnan(want[4 * cols]));
  rung.forward({dtype, false, in.data(), in.data(), rows, cols, cols, nullptr});  // in place
  const Values again = in.values(), once = out.values();
  for (size_t i = 0; i < once.size(); ++i)
    if (again[i] != once[i] && !(std::isnan(again[i]) && std::isnan(once[i]))) FAIL("in place differs at " << i);
}

// What takes too long thread by thread on the host: rows for every rung and every shape within it, ragged ones, and rows
// that start at odd places.
inline void long_softmax_cases(Machine& machine) {
  for (const SoftmaxRung& rung : softmax_rungs())
    for (ScalarType dtype : kFloating) {
      for (int64_t cols : {1, 63, 127, 129, 255, 511, 777, 1000, 1537, 2049, 4097, 8200, 9217, 16384, 20001, 32768,
                           50257, 65536, 100003, 131072, 262144, 300007})
        softmax_matches(machine, rung, dtype, cols % 2 == 0, 3, cols);
      for (int64_t cols : {100, 1000, 5001, 40000, 120000}) {
        softmax_matches(machine, rung, dtype, true, 5, cols, {3, 0}, 3);
        softmax_matches(machine, rung, dtype, false, 5, cols, {1, 16}, 1);
        softmax_matches(machine, rung, dtype, false, 5, cols, {1, 5}, 2);
      }
      softmax_matches(machine, rung, dtype, false, 4099, 64);
      softmax_matches(machine, rung, dtype, true, 2051, 600);
      for (int64_t cols : {3000, 20000, 70000, 200000}) special_rows(machine, rung, dtype, cols);
    }
}

inline void softmax_cases(Machine& machine) {
  for (const SoftmaxRung& rung : softmax_rungs()) {
    if (machine.is_host() && !rung.host_runner) continue;
    for (ScalarType dtype : kFloating)
      for (bool log : {false, true}) {
        for (auto [rows, cols] : {std::pair<int64_t, int64_t>{1, 1}, {3, 7}, {6, 33}, {5, 64}, {3, 600}})
          softmax_matches(machine, rung, dtype, log, rows, cols);
        softmax_matches(machine, rung, dtype, log, 4, 37, {1, 0}, 1);   // every row starts somewhere else
        softmax_matches(machine, rung, dtype, log, 4, 40, {3, 8}, 3);   // strided, cut alike
        softmax_matches(machine, rung, dtype, log, 4, 40, {1, 3}, 0);   // strided, cut differently
      }
    for (ScalarType dtype : {kFloat, kBFloat16, kHalf}) {
      softmax_matches(machine, rung, dtype, false, 2, 1603);
      for (int64_t cols : {2, 70, 1201}) special_rows(machine, rung, dtype, cols);
    }
    // More than registers hold: the rest of rung 7, and of rung 8, whose two blocks hold twice as much.
    if (rung.takes_forward == softmax_rungs()[6].takes_forward) softmax_matches(machine, rung, kFloat, false, 1, 16501);
    if (!rung.host_runner) softmax_matches(machine, rung, kFloat, false, 1, 33003);
    SoftmaxArgs args{kLong, false, nullptr, nullptr, 5, 2, 2, nullptr};
    CHECK_THROWS_AS(rung.forward(args), NotImplementedError);
  }
  // The entry points: nothing to do is nothing done, and what a dtype lacks is an error even then.
  Array in(machine, kFloat, {1, 2}), out(machine, kFloat, {5, 5});
  softmax({kFloat, false, out.data(), in.data(), 0, 2, 2, nullptr});
  softmax({kFloat, false, out.data(), in.data(), 2, 0, 0, nullptr});
  softmax_backward({kFloat, false, out.data(), in.data(), in.data(), 0, 2, 2, nullptr});
  CHECK(out.values() == Values{5, 5});
  CHECK_THROWS_AS(softmax({kLong, false, nullptr, nullptr, 0, 2, 2, nullptr}), NotImplementedError);
  CHECK_THROWS_AS(softmax_backward({kBool, false, nullptr, nullptr, nullptr, 0, 2, 2, nullptr}),
                  NotImplementedError);
}

}  // namespace gb::cuda::cases
