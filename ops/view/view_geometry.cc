#include "ops/view/view_geometry.h"

#include <fmt/format.h>

namespace gb {
namespace {

[[noreturn, gnu::cold]] void throw_invalid(const char* op, IntArrayRef shape, int64_t numel,
                                           const std::string& cause) {
  GB_THROW(
      Error,
      .what = fmt::format("gb::{}: shape '{}' is invalid for input of size {}", op, to_string(shape), numel),
      .cause = cause,
      .repair =
          "the sizes must multiply to the number of elements; one of them may be -1 and is then computed",
      .chapter = chapters::kTensors);
}

}  // namespace

impl::SizesAndStrides infer_view_sizes(IntArrayRef shape, int64_t numel, const char* op) {
  int64_t product = 1, unknown = -1;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == -1) {
      if (unknown >= 0) throw_invalid(op, shape, numel, "only one dimension can be inferred (-1)");
      unknown = static_cast<int64_t>(d);
    } else if (shape[d] < 0) {
      throw_invalid(op, shape, numel, fmt::format("invalid shape dimension {}", shape[d]));
    } else if (__builtin_mul_overflow(product, shape[d], &product)) {
      throw_invalid(op, shape, numel, "the product of the sizes does not fit in 64 bits");
    }
  }
  impl::SizesAndStrides geometry;
  geometry.set_sizes(shape);
  if (unknown >= 0) {
    if (product == 0) {
      throw_invalid(op, shape, numel,
                    "beside a size of 0 the unspecified dimension size -1 can be any value and is ambiguous");
    }
    if (numel % product != 0)
      throw_invalid(op, shape, numel, fmt::format("{} is not a multiple of {}", numel, product));
    geometry.size_at_unchecked(static_cast<size_t>(unknown)) = numel / product;
  } else if (product != numel) {
    throw_invalid(op, shape, numel, fmt::format("the sizes multiply to {}", product));
  }
  geometry.set_contiguous_strides();
  return geometry;
}

bool set_view_strides(const Tensor& self, impl::SizesAndStrides& geometry) {
  const IntArrayRef sizes = self.sizes(), strides = self.strides();
  if (self.numel() == 0) {  // no element to find: any strides do
    if (sizes == geometry.sizes_arrayref())
      geometry.set_strides(strides);
    else
      geometry.set_contiguous_strides();
    return true;
  }
  if (self.is_contiguous()) {
    geometry.set_contiguous_strides();
    return true;
  }
  // From the inside out: a run of old dimensions that lie in one even walk (outer stride == inner stride *
  // inner size) is one block, and the new dimensions must tile block by block. A new dimension may split a
  // block, never span two.
  int64_t next = static_cast<int64_t>(geometry.size()) - 1;  // the new dimension to be given a stride
  int64_t block_stride = strides.empty() ? 1 : strides[strides.size() - 1], block = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    block *= sizes[d];
    const bool continues = d > 0 && (sizes[d - 1] == 1 || strides[d - 1] == block * block_stride);
    if (continues) continue;
    int64_t filled = 1;
    while (next >= 0 && (filled < block || geometry.size_at_unchecked(static_cast<size_t>(next)) == 1)) {
      geometry.stride_at_unchecked(static_cast<size_t>(next)) = filled * block_stride;
      filled *= geometry.size_at_unchecked(static_cast<size_t>(next));
      --next;
    }
    if (filled != block) return false;
    if (d > 0) {
      block_stride = strides[d - 1];
      block = 1;
    }
  }
  return next < 0;
}

}  // namespace gb
