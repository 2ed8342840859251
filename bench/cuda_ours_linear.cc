// The three products of a Linear, on the ladder of kernels/cuda/linear: PRODUCT DTYPE ROWS IN OUT RUNG, with
//   forward   y [rows, out] = x [rows, in] W^T + bias      W [out, in]
//   dX        [rows, in]    = dY [rows, out] W
//   dW        [out, in]     = dY^T x
// DTYPE may also be tf32: float32 with allow_tf32. Each run takes the next of several sets of matrices, together four
// times the L2 cache or more, so that no run finds its input there. Values are uniform from -1 to 1.
// The error is that of 16 x 16 elements spread over the result, against float64: the root of the mean square, as a
// share of the root mean square of the elements themselves.
#include <fmt/format.h>

#include <cmath>
#include <istream>

#include "bench/cuda_ours.h"
#include "kernels/cuda/backends.h"
#include "kernels/cuda/linear/gemm.h"

namespace gb::bench {
namespace {

using namespace gb::cuda;

constexpr size_t kRotated = size_t{256} << 20;  // bytes of all sets together, at least
constexpr int64_t kMostSets = 64;

class Linear final : public Subject {
 public:
  std::vector<std::string> rungs() const override {
    std::vector<std::string> names;
    for (const GemmRung& rung : linear_rungs()) names.push_back(rung.name);
    return names;
  }

  void parse(std::istream& line) override {
    std::string product, dtype;
    int64_t rows = 0, in = 0, out = 0;
    line >> product >> dtype >> rows >> in >> out >> rung_;
    GB_CHECK_OR_THROW(line && (product == "forward" || product == "dX" || product == "dW"), ValueError,
                      .what = fmt::format("unknown request: {} {}", product, dtype),
                      .cause = "not a product of this benchmark", .repair = "see the top of bench/cuda_ours_linear.cc",
                      .chapter = chapters::kKernels);
    args_ = {};
    args_.allow_tf32 = dtype == "tf32";
    args_.dtype = args_.allow_tf32 ? kFloat : parse_dtype(dtype);
    if (product == "forward") {
      args_.m = rows, args_.n = out, args_.k = in;
      args_.a = {nullptr, in, 1}, args_.b = {nullptr, 1, in};
      args_.beta = 1, args_.c = {nullptr, 0, 1};
    } else if (product == "dX") {
      args_.m = rows, args_.n = in, args_.k = out;
      args_.a = {nullptr, out, 1}, args_.b = {nullptr, in, 1};
    } else {
      args_.m = out, args_.n = in, args_.k = rows;
      args_.a = {nullptr, 1, out}, args_.b = {nullptr, in, 1};
    }
    args_.d = {nullptr, args_.n, 1};
    const int64_t set = args_.m * args_.k + args_.k * args_.n + args_.m * args_.n;
    sets_ = std::clamp<int64_t>((kRotated + bytes(set) - 1) / bytes(set), 1, kMostSets);
    next_ = 0;
  }

  size_t run() override {
    GemmArgs args = args_;
    args.a.data = element(a_, args.m * args.k);
    args.b.data = element(b_, args.k * args.n);
    args.c.data = args.beta == 0 ? nullptr : element(bias_, args.n);
    args.d.data = element(d_, args.m * args.n);
    next_ = (next_ + 1) % sets_;
    const backends::cuda::LinearRungGuard rung(rung_);
    gemm(args, nullptr);
    last_ = args;
    return linear_rung_for(args);
  }

  double error() override {
    run();
    GB_CUDA_CHECK(cudaDeviceSynchronize());
    const GemmArgs& g = last_;
    const std::vector<double> a = host(g.a.data, g.m * g.k), b = host(g.b.data, g.k * g.n), d = host(g.d.data, g.m * g.n),
                              bias = g.beta == 0 ? std::vector<double>(static_cast<size_t>(g.n)) : host(g.c.data, g.n);
    double squares = 0, errors = 0;
    for (int64_t i = 0; i < g.m; i += (g.m + 15) / 16)
      for (int64_t j = 0; j < g.n; j += (g.n + 15) / 16) {
        double want = bias[static_cast<size_t>(j)];
        for (int64_t p = 0; p < g.k; ++p)
          want += a[static_cast<size_t>(i * g.a.row_stride + p * g.a.col_stride)] *
                  b[static_cast<size_t>(p * g.b.row_stride + j * g.b.col_stride)];
        const double off = d[static_cast<size_t>(i * g.n + j)] - want;
        squares += want * want, errors += off * off;
      }
    return std::sqrt(errors / squares);
  }

 private:
  size_t bytes(int64_t elements) const { return static_cast<size_t>(elements) * elementSize(args_.dtype); }
  // The matrix of the set whose turn it is; sets begin 256 bytes apart or more.
  void* element(Matrix& matrix, int64_t elements) {
    const size_t pitch = (bytes(elements) + 255) / 256 * 256;
    return static_cast<char*>(matrix.of(args_.dtype, pitch * static_cast<size_t>(sets_))) +
           pitch * static_cast<size_t>(next_);
  }
  std::vector<double> host(const void* from, int64_t count) const {
    std::vector<double> wide(static_cast<size_t>(count));
    visit_floating(args_.dtype, [&](auto zero) {
      using T = decltype(zero);
      std::vector<T> narrow(wide.size());
      GB_CUDA_CHECK(cudaMemcpy(narrow.data(), from, wide.size() * sizeof(T), cudaMemcpyDeviceToHost));
      for (size_t p = 0; p < wide.size(); ++p) wide[p] = static_cast<double>(static_cast<compute_t<T>>(narrow[p]));
    });
    return wide;
  }

  GemmArgs args_, last_;
  size_t rung_ = 0;
  int64_t sets_ = 1, next_ = 0;
  Matrix a_{1, 1}, b_{2, 1}, bias_{3, 1}, d_{4, 1};
};

}  // namespace

std::unique_ptr<Subject> linear_subject() { return std::make_unique<Linear>(); }

}  // namespace gb::bench
