#include "ops/expand/expand_geometry.h"

#include <fmt/format.h>

namespace gb {

impl::SizesAndStrides expand_geometry(const Tensor& self, IntArrayRef sizes, const char* op) {
  const size_t ndim = sizes.size(), own = self.sizes().size();
  GB_CHECK_OR_THROW(
      ndim >= own, Error,
      .what =
          fmt::format("gb::{}: the number of sizes provided ({}) must be greater or equal to the number of "
                      "dimensions in the tensor ({})",
                      op, ndim, own),
      .cause = fmt::format("target sizes {}, tensor sizes {}", to_string(sizes), to_string(self.sizes())),
      .repair = "give a size for every dimension; -1 keeps one as it is", .chapter = chapters::kTensors);
  impl::SizesAndStrides geometry;
  geometry.set_sizes(sizes);
  for (size_t d = ndim; d-- > 0;) {
    const bool is_new = d < ndim - own;
    const size_t at = d - (ndim - own);  // only used where the dimension is not new
    int64_t& size = geometry.size_at_unchecked(d);
    if (size == -1 && !is_new) size = self.sizes()[at];
    GB_CHECK_OR_THROW(
        size >= 0, Error,
        .what = is_new
                    ? fmt::format("gb::{}: The expanded size of the tensor ({}) isn't allowed in a leading, "
                                  "non-existing dimension {}",
                                  op, sizes[d], d)
                    : fmt::format("gb::{}: The expanded size of the tensor ({}) must not be negative", op,
                                  sizes[d]),
        .cause =
            fmt::format("Target sizes: {}.  Tensor sizes: {}", to_string(sizes), to_string(self.sizes())),
        .repair = "use sizes of at least 0, or -1 for a dimension that the tensor has",
        .chapter = chapters::kTensors);
    if (is_new) {
      // What a contiguous tensor of these sizes would have, so that a new dimension of size 1 keeps it
      // contiguous.
      const bool last = d + 1 == ndim;
      geometry.stride_at_unchecked(d) =
          size == 1 ? (last ? 1 : geometry.size_at_unchecked(d + 1) * geometry.stride_at_unchecked(d + 1))
                    : 0;
      continue;
    }
    geometry.stride_at_unchecked(d) = self.strides()[at];
    if (size == self.sizes()[at]) continue;
    GB_CHECK_OR_THROW(self.sizes()[at] == 1, Error,
                      .what = fmt::format(
                          "gb::{}: The expanded size of the tensor ({}) must match the existing size ({}) at "
                          "non-singleton dimension {}",
                          op, size, self.sizes()[at], d),
                      .cause = fmt::format("Target sizes: {}.  Tensor sizes: {}", to_string(sizes),
                                           to_string(self.sizes())),
                      .repair = "only a dimension of size 1 can be stretched", .chapter = chapters::kTensors);
    geometry.stride_at_unchecked(d) = 0;
  }
  return geometry;
}

}  // namespace gb
