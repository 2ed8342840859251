// multinomial: indices drawn with probabilities proportional to the weights of a row.
#include <fmt/format.h>

#include <cmath>

#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/common/empty.h"
#include "ops/random/random.h"

namespace gb {
namespace {

void check_multinomial(const Tensor& self, int64_t num_samples, bool replacement) {
  check_defined(self, "multinomial", "self");
  GB_CHECK_OR_THROW(self.dim() == 1 || self.dim() == 2, Error,
                    .what = "gb::multinomial: prob_dist must be 1 or 2 dim",
                    .cause = fmt::format("self has sizes {}", to_string(self.sizes())),
                    .repair = "give one row of weights, or rows", .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(isFloatingType(self.scalar_type()), TypeError,
                    .what = fmt::format(
                        "gb::multinomial: multinomial only supports floating-point dtypes for input, got: {}",
                        toString(self.scalar_type())),
                    .cause = "weights are probabilities, up to a factor", .repair = "convert them to float32",
                    .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(num_samples > 0, ValueError,
                    .what = "gb::multinomial: cannot sample n_sample <= 0 samples",
                    .cause = fmt::format("num_samples is {}", num_samples), .repair = "draw at least one",
                    .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(
      replacement || num_samples <= self.size(-1), ValueError,
      .what = "gb::multinomial: cannot sample n_sample > prob_dist.size(-1) samples without replacement",
      .cause = fmt::format("{} samples of {} weights", num_samples, self.size(-1)),
      .repair = "pass replacement=true, or draw fewer", .chapter = chapters::kTensors);
}

// The sum; every weight has to be finite and at least 0.
double checked_sum(const double* weights, int64_t n, int64_t row) {
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    GB_CHECK_OR_THROW(
        std::isfinite(weights[i]) && weights[i] >= 0, ValueError,
        .what = "gb::multinomial: probability tensor contains either `inf`, `nan` or element < 0",
        .cause = fmt::format("weight {} of row {} is {}", i, row, weights[i]),
        .repair = "give finite weights of at least 0", .chapter = chapters::kTensors);
    sum += weights[i];
  }
  return sum;
}

// The index whose share of [0, sum) holds `point`. Rounding may leave point behind the last share: the last
// weight above 0 then.
int64_t index_at(const double* weights, int64_t n, double point) {
  int64_t last = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (weights[i] <= 0) continue;
    last = i;
    if (point < weights[i]) break;
    point -= weights[i];
  }
  return last;
}

Tensor multinomial_kernel(const Tensor& self, int64_t num_samples, bool replacement, OptGenerator generator) {
  check_multinomial(self, num_samples, replacement);
  std::vector<int64_t> sizes = self.sizes().vec();
  const int64_t n = sizes.back(), rows = self.dim() == 2 ? sizes[0] : 1;
  sizes.back() = num_samples;
  if (self.is_meta()) return empty_on(self.device(), sizes, kLong);
  const Tensor weights = self.to(TensorOptions(kCPU).dtype(kDouble), false, /*copy=*/true).contiguous();
  const Tensor drawn = empty_cpu(sizes, kLong);
  double* all = weights.mutable_data_ptr<double>();
  std::vector<double> sums;
  for (int64_t r = 0; r < rows; ++r) {
    double* row = all + r * n;
    sums.push_back(checked_sum(row, n, r));
    int64_t possible = 0;
    for (int64_t i = 0; i < n; ++i) possible += row[i] > 0;
    GB_CHECK_OR_THROW(sums.back() > 0, ValueError,
                      .what = "gb::multinomial: invalid multinomial distribution (sum of probabilities <= 0)",
                      .cause = fmt::format("all weights of row {} are 0", r),
                      .repair = "give one of them a weight", .chapter = chapters::kTensors);
    GB_CHECK_OR_THROW(
        replacement || possible >= num_samples, ValueError,
        .what =
            "gb::multinomial: invalid multinomial distribution (with replacement=False, not enough "
            "non-negative "
            "category to sample)",
        .cause = fmt::format("row {} has {} weights above 0, {} are to be drawn", r, possible, num_samples),
        .repair = "pass replacement=true, or draw fewer", .chapter = chapters::kTensors);
  }
  const RandomNumbers numbers =
      (generator ? *generator : default_generator()).take(static_cast<uint64_t>(drawn.numel()));
  int64_t* to = drawn.mutable_data_ptr<int64_t>();
  for (int64_t r = 0; r < rows; ++r) {
    double* row = all + r * n;
    for (int64_t s = 0; s < num_samples; ++s) {
      const int64_t at = r * num_samples + s;
      to[at] = index_at(row, n, numbers.uniform(at) * sums[static_cast<size_t>(r)]);
      if (replacement) continue;
      sums[static_cast<size_t>(r)] -= row[to[at]];
      row[to[at]] = 0;
    }
  }
  return drawn.to(TensorOptions(self.device()));
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) { m.impl("multinomial", GB_FN(multinomial_kernel)); }

}  // namespace gb
