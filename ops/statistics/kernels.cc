// Made of other operators, for every device; each has a gradient of its own. 16-bit dtypes compute in float
// and round once.
#include <fmt/format.h>

#include <algorithm>

#include "core/warning.h"
#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/pointwise/pointwise.h"
#include "ops/reductions/plan.h"
#include "ops/reductions/reductions.h"
#include "ops/statistics/statistics.h"

namespace gb {
namespace {

// var, or with `root` std. Two passes: the mean, then the squares of what is left.
Tensor spread(const char* op, const Tensor& self, OptionalIntArrayRef dim,
              const std::optional<Scalar>& correction, bool keepdim, bool root) {
  check_defined(self, op, "self");
  GB_CHECK_OR_THROW(
      self.is_floating_point(), Error,
      .what = fmt::format("gb::{}: std and var only support floating point and complex dtypes", op),
      .cause = fmt::format("self is {}", toString(self.scalar_type())),
      .repair = "convert it first: self.to(kFloat)", .chapter = chapters::kTensors);
  const std::vector<bool> reduced = reduced_dims(dim, self.dim(), op);
  const std::vector<int64_t> dims = list_of(reduced);
  const double freedom =
      static_cast<double>(count_of(reduced, self.sizes())) - correction.value_or(Scalar(1)).toDouble();
  if (freedom <= 0)
    GB_WARN(
        fmt::format("{}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction "
                    "factor (input numel divided by output numel).",
                    op));
  const Tensor x = elementSize(self.scalar_type()) == 2 ? self.to(kFloat) : self;
  const Tensor rest = x.sub(x.mean(dims, true));
  const Tensor variance = rest.mul(rest).sum(dims, keepdim).div(std::max(freedom, 0.0));
  const Tensor result = root ? variance.sqrt() : variance;
  return result.to(self.scalar_type());
}

Tensor var_kernel(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
                  bool keepdim) {
  return spread("var", self, dim, correction, keepdim, /*root=*/false);
}
Tensor std_kernel(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
                  bool keepdim) {
  return spread("std", self, dim, correction, keepdim, /*root=*/true);
}

Tensor logsumexp_kernel(const Tensor& self, IntArrayRef dim, bool keepdim) {
  check_defined(self, "logsumexp", "self");
  const Tensor x = self.is_floating_point() ? self : self.to(get_default_dtype());
  if (x.numel() == 0) return x.exp().sum(dim, keepdim).log();  // nothing to take out
  Tensor largest = x.amax(dim, true);
  const double infinity = std::numeric_limits<double>::infinity();
  largest = largest.masked_fill(largest.abs().eq(infinity), 0);  // inf - inf would be NaN
  const Tensor sum = x.sub(largest).exp().sum(dim, keepdim);
  return sum.log().add(largest.view(sum.sizes()));
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("var.correction", GB_FN(var_kernel));
  m.impl("std.correction", GB_FN(std_kernel));
  m.impl("logsumexp", GB_FN(logsumexp_kernel));
}

}  // namespace gb
