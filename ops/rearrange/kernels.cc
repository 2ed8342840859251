// flip walks self backwards; repeat copies self, expanded, into a view of the result that separates the
// copies.
#include <fmt/format.h>

#include "dispatcher/library.h"
#include "kernels/cpu/copy.h"
#include "ops/as_strided/make_view.h"
#include "ops/common/checks.h"
#include "ops/common/empty.h"
#include "ops/common/geometry.h"
#include "ops/rearrange/flip.h"
#include "ops/rearrange/rearrange.h"

namespace gb {

Tensor flip_result(const Tensor& self, IntArrayRef dims) {
  check_defined(self, "flip", "self");
  named_dims(dims, self.dim(), "flip");
  return empty_strided_on(self.device(), self.sizes(), elementwise_strides(self.sizes(), {&self}),
                          self.scalar_type());
}

FlipCopy::FlipCopy(const Tensor& result, const Tensor& self, IntArrayRef dims) {
  const std::vector<bool> flipped = named_dims(dims, self.dim(), "flip");
  int64_t first = 0;  // where in self the result's first element comes from
  for (size_t d = 0; d < flipped.size(); ++d) {
    const int64_t size = self.sizes()[d], stride = self.strides()[d];
    space.push(size, {result.strides()[d], flipped[d] ? -stride : stride});
    if (flipped[d]) first += (size - 1) * stride;
  }
  from = static_cast<const char*>(self.const_data_ptr()) + first * self.element_size();
}

namespace {

Tensor flip_cpu(const Tensor& self, IntArrayRef dims) {
  const Tensor result = flip_result(self, dims);
  if (self.numel() == 0) return result;
  const FlipCopy copy(result, self, dims);
  cpu::copy(self.scalar_type(), result.mutable_data_ptr(), self.scalar_type(), copy.from, copy.space);
  return result;
}

Tensor repeat_kernel(const Tensor& self, IntArrayRef repeats) {
  check_defined(self, "repeat", "self");
  const size_t rank = repeats.size(), own = self.sizes().size();
  GB_CHECK_OR_THROW(
      rank >= own, Error,
      .what =
          "gb::repeat: Number of dimensions of repeat dims can not be smaller than number of dimensions of "
          "tensor",
      .cause = fmt::format("repeats {}, self of sizes {}", to_string(repeats), to_string(self.sizes())),
      .repair = "give one repeat for each dimension", .chapter = chapters::kTensors);
  const size_t added = rank - own;
  std::vector<int64_t> sizes(repeats.begin(), repeats.end());
  for (size_t d = 0; d < rank; ++d) {
    GB_CHECK_OR_THROW(
        repeats[d] >= 0, Error,
        .what = fmt::format("gb::repeat: Trying to create tensor with negative dimension {}", repeats[d]),
        .cause = fmt::format("repeats are {}", to_string(repeats)), .repair = "repeat at least 0 times",
        .chapter = chapters::kTensors);
    if (d < added) continue;
    GB_CHECK_OR_THROW(
        !__builtin_mul_overflow(sizes[d], self.sizes()[d - added], &sizes[d]), Error,
        .what = "gb::repeat: Storage size calculation overflowed",
        .cause = fmt::format("sizes {} repeated {} times", to_string(self.sizes()), to_string(repeats)),
        .repair = "repeat less often", .chapter = chapters::kTensors);
  }
  check_sizes(sizes, self.scalar_type(), "repeat");
  const Tensor result = empty_on(self.device(), sizes, self.scalar_type());
  if (result.numel() == 0) return result;
  // Each dimension in two: which copy, and where in it.
  impl::SizesAndStrides to, from;
  to.resize(2 * rank);
  from.resize(2 * rank);
  for (size_t d = 0; d < rank; ++d) {
    const bool is_own = d >= added;
    const int64_t size = is_own ? self.sizes()[d - added] : 1,
                  stride = is_own ? self.strides()[d - added] : 0;
    to.size_at_unchecked(2 * d) = from.size_at_unchecked(2 * d) = repeats[d];
    to.size_at_unchecked(2 * d + 1) = from.size_at_unchecked(2 * d + 1) = size;
    to.stride_at_unchecked(2 * d) = size * result.strides()[d];
    to.stride_at_unchecked(2 * d + 1) = result.strides()[d];
    from.stride_at_unchecked(2 * d) = 0;
    from.stride_at_unchecked(2 * d + 1) = stride;
  }
  make_view(result, to).copy_(make_view(self, from));
  return result;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) { m.impl("flip", GB_FN(flip_cpu)); }
GB_LIBRARY_IMPL(aten, Meta, m) { m.impl("flip", GB_FN(flip_result)); }
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) { m.impl("repeat", GB_FN(repeat_kernel)); }

}  // namespace gb
