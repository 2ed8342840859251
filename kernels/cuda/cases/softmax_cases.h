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
    double max = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t c = 0; c < cols; ++c) max = std::max(max, x[r * cols + c]);
    for (int64_t c = 0; c < cols; ++c) sum += std::exp(x[r * cols + c] - max);
    for (int64_t c = 0; c < cols; ++c) y[r * cols + c] = std::exp(x[r * cols + c] - max) / sum;
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

inline void softmax_matches(Machine& machine, const SoftmaxRung& rung, ScalarType dtype, int64_t rows,
                            int64_t cols) {
  INFO(rung.name << " on " << toString(dtype) << " [" << rows << ", " << cols << "]");
  const size_t n = static_cast<size_t>(rows * cols);
  const Values x = rounded(dtype, random_values(n, 1, -8, 8)), dy = rounded(dtype, random_values(n, 2));
  Array in(machine, dtype, x), out(machine, dtype, Values(n, -1));
  rung.forward(dtype, out.data(), in.data(), rows, cols, nullptr);
  const Values y = out.values();
  check_close(y, reference_softmax(x, rows, cols), tolerance(dtype),
              1.0 / static_cast<double>(std::max<int64_t>(cols, 1)));

  Array grad(machine, dtype, dy), grad_input(machine, dtype, Values(n, -1));
  rung.backward(dtype, grad_input.data(), grad.data(), out.data(), rows, cols, nullptr);
  const Values want = reference_softmax_backward(dy, y, rows, cols);
  check_close(grad_input.values(), want, 4 * tolerance(dtype),
              1.0 / static_cast<double>(std::max<int64_t>(cols, 1)));

  rung.forward(dtype, in.data(), in.data(), rows, cols, nullptr);  // in place
  CHECK(in.values() == y);
}

inline void softmax_cases(Machine& machine) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const SoftmaxRung& rung : softmax_rungs()) {
    if (machine.is_host() && !rung.host_runner) continue;
    for (ScalarType dtype : kFloating) {
      for (auto [rows, cols] : {std::pair<int64_t, int64_t>{1, 1}, {3, 7}, {65, 33}, {8, 600}})
        softmax_matches(machine, rung, dtype, rows, cols);
      softmax_matches(machine, rung, dtype, 0, 5);
      softmax_matches(machine, rung, dtype, 5, 0);
    }
    if (!machine.is_host()) softmax_matches(machine, rung, kFloat, 8192, 600);

    // One row each: large values, a -inf, only -inf, a +inf, a NaN.
    const Values x = {1000, 1001, 0, -inf, -inf, -inf, inf, 0, nan, 0};
    Array in(machine, kFloat, x), out(machine, kFloat, Values(10));
    rung.forward(kFloat, out.data(), in.data(), 5, 2, nullptr);
    check_close(out.values(),
                {1 / (1 + std::exp(1.0)), 1 / (1 + std::exp(-1.0)), 1, 0, nan, nan, nan, nan, nan, nan},
                1e-6);

    CHECK_THROWS_AS(rung.forward(kLong, out.data(), in.data(), 5, 2, nullptr), NotImplementedError);
    CHECK_THROWS_AS(rung.backward(kBool, out.data(), in.data(), in.data(), 0, 2, nullptr),
                    NotImplementedError);
  }
}

}  // namespace gb::cuda::cases
