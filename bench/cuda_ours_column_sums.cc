// Sums down the columns, as a Linear's bias needs them in backward: DTYPE ROWS COLS RUNG. There is one kernel, and RUNG
// is not looked at. The error is the largest against float64, as a share of the sum of absolute values.
#include <fmt/format.h>

#include <cmath>
#include <istream>

#include "bench/cuda_ours.h"
#include "kernels/cuda/reduce/column_sums.h"

namespace gb::bench {
namespace {

using namespace gb::cuda;

class ColumnSums final : public Subject {
 public:
  std::vector<std::string> rungs() const override { return {"column_sums"}; }

  void parse(std::istream& line) override {
    std::string dtype;
    size_t rung = 0;
    line >> dtype >> args_.rows >> args_.cols >> rung;
    GB_CHECK_OR_THROW(!line.fail(), ValueError, .what = "unknown request of column_sums",
                      .cause = "a request is DTYPE ROWS COLS RUNG", .repair = "see the top of bench/cuda_ours_column_sums.cc",
                      .chapter = chapters::kKernels);
    args_.dtype = parse_dtype(dtype);
    args_.in_stride = args_.cols;
    args_.stream = nullptr;
  }

  size_t run() override {
    const size_t size = elementSize(args_.dtype);
    args_.in = in_.of(args_.dtype, static_cast<size_t>(args_.rows * args_.cols) * size);
    args_.out = out_.of(args_.dtype, static_cast<size_t>(args_.cols) * size);
    args_.scratch = scratch_.of(kFloat, std::max<size_t>(column_sums_scratch(args_), 4));
    column_sums(args_);
    return 1;
  }

  double error() override {
    run();
    GB_CUDA_CHECK(cudaDeviceSynchronize());
    const auto rows = static_cast<size_t>(args_.rows), cols = static_cast<size_t>(args_.cols);
    double worst = 0;
    visit_floating(args_.dtype, [&](auto zero) {
      using T = decltype(zero);
      const auto wide = [](T value) { return static_cast<double>(static_cast<compute_t<T>>(value)); };
      std::vector<T> in(rows * cols), out(cols);
      GB_CUDA_CHECK(cudaMemcpy(in.data(), args_.in, in.size() * sizeof(T), cudaMemcpyDeviceToHost));
      GB_CUDA_CHECK(cudaMemcpy(out.data(), args_.out, out.size() * sizeof(T), cudaMemcpyDeviceToHost));
      std::vector<double> sum(cols), size(cols);
      for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < cols; ++j) {
          const double value = wide(in[i * cols + j]);
          sum[j] += value, size[j] += std::abs(value);
        }
      for (size_t j = 0; j < cols; ++j) worst = std::max(worst, std::abs(wide(out[j]) - sum[j]) / size[j]);
    });
    return worst;
  }

 private:
  ColumnSumsArgs args_ = {};
  Matrix in_{1, 1}, out_{2, 1}, scratch_{3, 1};
};

}  // namespace

std::unique_ptr<Subject> column_sums_subject() { return std::make_unique<ColumnSums>(); }

}  // namespace gb::bench
