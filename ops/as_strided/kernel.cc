// One kernel for every backend: no element is touched.
#include <fmt/format.h>

#include "dispatcher/library.h"
#include "ops/as_strided/as_strided.h"
#include "ops/as_strided/make_view.h"

namespace gb {
namespace {

Tensor as_strided_kernel(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                         std::optional<int64_t> storage_offset) {
  const int64_t offset = storage_offset.value_or(self.storage_offset());
  GB_CHECK_OR_THROW(size.size() == stride.size(), ValueError,
                    .what = "gb::as_strided: mismatch in length of strides and shape",
                    .cause = fmt::format("size {}, stride {}", to_string(size), to_string(stride)),
                    .repair = "give one stride for each dimension", .chapter = chapters::kTensors);
  bool negative = offset < 0;
  for (size_t d = 0; d < size.size(); ++d) negative |= size[d] < 0 || stride[d] < 0;
  GB_CHECK_OR_THROW(
      !negative, ValueError, .what = "gb::as_strided: negative sizes, strides and offsets are not supported",
      .cause =
          fmt::format("size {}, stride {}, storage_offset {}", to_string(size), to_string(stride), offset),
      .repair = "use values of at least 0", .chapter = chapters::kTensors);
  if (self.has_storage()) {
    const int64_t needed = bytes_needed(size, stride, offset, self.element_size());
    const auto available = static_cast<int64_t>(self.storage().nbytes());
    GB_CHECK_OR_THROW(
        needed >= 0 && needed <= available, Error,
        .what = fmt::format("gb::as_strided: sizes {}, strides {} and storage offset {} are out of bounds "
                            "for storage of size {}",
                            to_string(size), to_string(stride), offset, available),
        .cause = needed < 0 ? std::string("the last element's address does not fit in 64 bits")
                            : fmt::format("an itemsize of {} requires a storage size of {} bytes",
                                          self.element_size(), needed),
        .repair = "keep offset + sum((size - 1) * stride) below the number of elements in the storage",
        .chapter = chapters::kTensors);
  }
  impl::SizesAndStrides geometry;
  geometry.set_sizes(size);
  geometry.set_strides(stride);
  return make_view(self, geometry, offset);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) { m.impl("as_strided", GB_FN(as_strided_kernel)); }
GB_LIBRARY_IMPL(aten, CUDA, m) { m.impl("as_strided", GB_FN(as_strided_kernel)); }
GB_LIBRARY_IMPL(aten, Meta, m) { m.impl("as_strided", GB_FN(as_strided_kernel)); }

}  // namespace gb
