// Our side of //bench:cuda: times glassbox's CUDA kernels as bench/cuda.py asks, one request a line.
//
//   info                                          -> the rungs of softmax, by name
//   time OP DTYPE ROWS COLS RUNG LAUNCHES         -> RUNG_THAT_RAN MICROSECONDS (of one launch, mean of LAUNCHES)
//   error OP DTYPE ROWS COLS RUNG                 -> RUNG_THAT_RAN MAX_ULP (against long double, up to 64 rows)
//
// OP: softmax, softmax_backward, log_softmax, log_softmax_backward. RUNG: a number from 1, or 0 for the best. The
// matrices hold values from -8 to 8; they are made once, as large as the largest request, and kept.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/cuda/backends.h"
#include "kernels/cuda/check.h"
#include "kernels/cuda/element.h"
#include "kernels/cuda/softmax/softmax.h"

namespace gb::bench {
namespace {

using namespace gb::cuda;

// `bytes` of device memory, filled with random elements of `dtype`; grows, and is filled again for another dtype.
class Matrix {
 public:
  Matrix(unsigned seed, double scale) : seed_(seed), scale_(scale) {}
  void* of(ScalarType dtype, size_t bytes) {
    if (bytes <= bytes_ && dtype == dtype_) return data_;
    if (bytes > bytes_) {
      GB_CUDA_CHECK(cudaFree(data_));
      GB_CUDA_CHECK(cudaMalloc(&data_, bytes));
      bytes_ = bytes;
    }
    dtype_ = dtype;
    constexpr size_t kPattern = 1 << 22;  // elements, then again from the start: far more than any row
    std::mt19937 random(seed_);
    std::uniform_real_distribution<float> value(-1, 1);
    visit_floating(dtype, [&](auto zero) {
      using T = decltype(zero);
      std::vector<T> pattern(kPattern);
      for (T& e : pattern) e = convert<T>(static_cast<double>(value(random)) * scale_);
      for (size_t at = 0; at < bytes_; at += kPattern * sizeof(T))
        GB_CUDA_CHECK(cudaMemcpy(static_cast<char*>(data_) + at, pattern.data(),
                                 std::min(kPattern * sizeof(T), bytes_ - at), cudaMemcpyHostToDevice));
    });
    return data_;
  }

 private:
  void* data_ = nullptr;
  size_t bytes_ = 0;
  ScalarType dtype_ = kLong;
  unsigned seed_;
  double scale_;
};

struct Request {
  bool backward, log;
  ScalarType dtype;
  int64_t rows, cols;
  size_t rung;
};

Request parse(std::istream& line) {
  std::string op, dtype;
  Request r;
  line >> op >> dtype >> r.rows >> r.cols >> r.rung;
  r.log = op.starts_with("log_");
  r.backward = op.ends_with("_backward");
  const std::string base = op.substr(r.log ? 4 : 0, op.size() - (r.log ? 4 : 0) - (r.backward ? 9 : 0));
  r.dtype = dtype == "float32" ? kFloat : dtype == "bfloat16" ? kBFloat16 : dtype == "float16" ? kHalf : kDouble;
  GB_CHECK_OR_THROW(line && base == "softmax" && (r.dtype != kDouble || dtype == "float64"), ValueError,
                    .what = fmt::format("unknown request: {} {}", op, dtype),
                    .cause = "not an operator or a dtype of this benchmark",
                    .repair = "see the top of bench/cuda_ours.cc", .chapter = chapters::kKernels);
  return r;
}

class Softmax {
 public:
  // Launches once; the number of the rung that ran.
  size_t run(const Request& r) {
    const size_t bytes = static_cast<size_t>(r.rows * r.cols) * elementSize(r.dtype);
    const backends::cuda::SoftmaxRungGuard rung(r.rung);
    if (!r.backward) {
      const SoftmaxArgs args{r.dtype, r.log, result_.of(r.dtype, bytes), x_.of(r.dtype, bytes), r.rows, r.cols, r.cols,
                             nullptr};
      softmax(args);
      return softmax_rung_for(args);
    }
    const SoftmaxBackwardArgs args{r.dtype, r.log,  result_.of(r.dtype, bytes), x_.of(r.dtype, bytes),
                                   y_.of(r.dtype, bytes), r.rows, r.cols, r.cols, nullptr};
    softmax_backward(args);
    return softmax_rung_for(args);
  }

  // The largest error of some rows, in units of the last place of the output type.
  double error(const Request& r) {
    run(r);
    GB_CUDA_CHECK(cudaDeviceSynchronize());
    double worst = 0;
    visit_floating(r.dtype, [&](auto zero) {
      using T = decltype(zero);
      const size_t bytes = static_cast<size_t>(r.rows * r.cols) * sizeof(T);
      const int64_t sampled = std::clamp<int64_t>(500000 / r.cols, 1, 64), step = (r.rows + sampled - 1) / sampled;
      for (int64_t row = 0; row < r.rows; row += step) {
        const auto fetch = [&](void* from) {
          std::vector<T> host(r.cols);
          GB_CUDA_CHECK(cudaMemcpy(host.data(), static_cast<T*>(from) + row * r.cols, host.size() * sizeof(T),
                                   cudaMemcpyDeviceToHost));
          std::vector<double> wide(r.cols);
          for (int64_t c = 0; c < r.cols; ++c) wide[c] = static_cast<double>(static_cast<compute_t<T>>(host[c]));
          return wide;
        };
        const std::vector<double> got = fetch(result_.of(r.dtype, bytes)), x = fetch(x_.of(r.dtype, bytes)),
                                  y = r.backward ? fetch(y_.of(r.dtype, bytes)) : x;
        worst = std::max(worst, worst_of_row<T>(r, got, x, y));
      }
    });
    return worst;
  }

 private:
  template <class T>
  static double worst_of_row(const Request& r, const std::vector<double>& got, const std::vector<double>& x,
                             const std::vector<double>& y) {
    const size_t n = x.size();
    double max = -INFINITY, size = 0, worst = 0;
    long double sum = 0;  // or the reference would be what is measured, for float64
    for (size_t c = 0; c < n; ++c) max = std::max(max, x[c]);
    for (size_t c = 0; c < n; ++c) {
      const long double term = !r.backward ? std::exp(static_cast<long double>(x[c]) - max)
                               : r.log      ? static_cast<long double>(x[c])
                                            : static_cast<long double>(x[c]) * y[c];
      sum += term;
      size += static_cast<double>(std::abs(term));
    }
    for (size_t c = 0; c < n; ++c) {
      const long double wide = x[c];
      const double want = static_cast<double>(r.backward
                                                  ? (r.log ? wide - std::exp(static_cast<long double>(y[c])) * sum
                                                           : y[c] * (wide - sum))
                                              : r.log ? wide - max - std::log(sum)
                                                      : std::exp(wide - max) / sum);
      // Where numbers of like size are subtracted, the unit is that of the larger of them.
      const double scale = r.backward ? (r.log ? std::abs(x[c]) + std::exp(y[c]) * size
                                               : std::abs(y[c]) * (std::abs(x[c]) + size))
                           : r.log    ? max - x[c] + static_cast<double>(std::log(sum))
                                      : std::abs(want);
      worst = std::max(worst, std::abs(got[c] - want) / ulp<T>(scale));
    }
    return worst;
  }
  template <class T>
  static double ulp(double value) {
    const int digits = std::is_same_v<T, double> ? 53 : std::is_same_v<T, float> ? 24 : std::is_same_v<T, Half> ? 11 : 8;
    const int smallest = std::is_same_v<T, Half> ? -14 : std::is_same_v<T, double> ? -1022 : -126;
    return std::ldexp(1.0, std::max(std::ilogb(value == 0 ? 1e-320 : value), smallest) - digits + 1);
  }

  Matrix x_{1, 8}, y_{2, 1}, result_{3, 0};
};

void answer(std::istream& line, Softmax& kernels) {
  std::string verb;
  line >> verb;
  if (verb == "info") {
    for (const SoftmaxRung& rung : softmax_rungs()) fmt::print("{} ", rung.name);
    fmt::print("\n");
    return;
  }
  const Request r = parse(line);
  const size_t rung = kernels.run(r);
  if (verb == "error") {
    fmt::print("{} {}\n", softmax_rungs()[rung - 1].name, kernels.error(r));
    return;
  }
  int launches = 1;
  line >> launches;
  static cudaEvent_t start = nullptr, end = nullptr;
  if (!start) {
    GB_CUDA_CHECK(cudaEventCreate(&start));
    GB_CUDA_CHECK(cudaEventCreate(&end));
  }
  GB_CUDA_CHECK(cudaEventRecord(start, nullptr));
  for (int i = 0; i < launches; ++i) kernels.run(r);
  GB_CUDA_CHECK(cudaEventRecord(end, nullptr));
  GB_CUDA_CHECK(cudaEventSynchronize(end));
  float milliseconds = 0;
  GB_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, end));
  fmt::print("{} {}\n", softmax_rungs()[rung - 1].name, milliseconds * 1e3 / launches);
}

}  // namespace
}  // namespace gb::bench

int main() {
  gb::bench::Softmax kernels;
  std::string text;
  while (std::getline(std::cin, text)) {
    std::istringstream line(text);
    try {
      gb::bench::answer(line, kernels);
    } catch (const gb::Error& e) {
      fmt::print("failed: {}\n", e.what_without_backtrace());
    }
    std::fflush(stdout);
  }
}
