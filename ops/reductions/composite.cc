// sum and mean of everything are the reduction over all dimensions; sum_to_size is a sum and a view.
#include <fmt/format.h>

#include <vector>

#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/reductions/reductions.h"

namespace gb {
namespace {

// Explicit: each has a gradient of its own (SumBackward0, MeanBackward0).
Tensor sum_all(const Tensor& self, std::optional<ScalarType> dtype) {
  return sum(self, IntArrayRef{}, false, dtype);
}
Tensor mean_all(const Tensor& self, std::optional<ScalarType> dtype) {
  return mean(self, IntArrayRef{}, false, dtype);
}

Tensor sum_to_size_composite(const Tensor& self, IntArrayRef size) {
  check_defined(self, "sum_to_size", "self");
  const IntArrayRef own = self.sizes();
  bool fits = size.size() <= own.size();
  const size_t leading = fits ? own.size() - size.size() : 0;
  for (size_t d = 0; fits && d < size.size(); ++d) fits = size[d] == own[leading + d] || size[d] == 1;
  GB_CHECK_OR_THROW(
      fits, Error,
      .what = fmt::format("gb::sum_to_size: size {} is not expandable to size {}", to_string(size),
                          to_string(own)),
      .cause = "only a tensor that could have been broadcast from `size` can be summed down to it",
      .repair = "each size must be self's own, counted from the last dimension, or 1",
      .chapter = chapters::kTensors);
  std::vector<int64_t> dims;
  for (size_t d = 0; d < own.size(); ++d)
    if (d < leading || (size[d - leading] == 1 && own[d] != 1)) dims.push_back(static_cast<int64_t>(d));
  const Tensor summed = dims.empty() ? self : self.sum(dims, true);
  return leading == 0 ? summed : summed.view(size);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("sum", GB_FN(sum_all));
  m.impl("mean", GB_FN(mean_all));
}
GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) { m.impl("sum_to_size", GB_FN(sum_to_size_composite)); }

}  // namespace gb
