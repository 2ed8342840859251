// Softmax and log_softmax, forward and backward: OP DTYPE ROWS COLS RUNG. The error is the largest of up to 64 rows,
// against long double, in units of the last place of the output type.
#include <fmt/format.h>

#include <cmath>
#include <istream>

#include "bench/cuda_ours.h"
#include "kernels/cuda/backends.h"
#include "kernels/cuda/softmax/softmax.h"

namespace gb::bench {
namespace {

using namespace gb::cuda;

struct Request {
  bool backward, log;
  ScalarType dtype;
  int64_t rows, cols;
  size_t rung;
};

Request parse_request(std::istream& line) {
  std::string op, dtype;
  Request r;
  line >> op >> dtype >> r.rows >> r.cols >> r.rung;
  r.log = op.starts_with("log_");
  r.backward = op.ends_with("_backward");
  const std::string base = op.substr(r.log ? 4 : 0, op.size() - (r.log ? 4 : 0) - (r.backward ? 9 : 0));
  r.dtype = parse_dtype(dtype);
  GB_CHECK_OR_THROW(line && base == "softmax", ValueError, .what = fmt::format("unknown request: {} {}", op, dtype),
                    .cause = "not an operator of this benchmark", .repair = "see the top of bench/cuda_ours.cc",
                    .chapter = chapters::kKernels);
  return r;
}

class Softmax final : public Subject {
 public:
  std::vector<std::string> rungs() const override {
    std::vector<std::string> names;
    for (const SoftmaxRung& rung : softmax_rungs()) names.push_back(rung.name);
    return names;
  }
  void parse(std::istream& line) override { request_ = parse_request(line); }

  size_t run() override {
    const Request& r = request_;
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
  double error() override {
    const Request& r = request_;
    run();
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

  Request request_ = {};
  Matrix x_{1, 8}, y_{2, 1}, result_{3, 0};
};

}  // namespace

std::unique_ptr<Subject> softmax_subject() { return std::make_unique<Softmax>(); }

}  // namespace gb::bench
