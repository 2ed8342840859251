// reshape and flatten: composites. Their gradients are those of the operators they call.
#include <fmt/format.h>

#include <vector>

#include "dispatcher/library.h"
#include "ops/view/view.h"
#include "ops/view/view_geometry.h"

namespace gb {
namespace {

Tensor reshape_composite(const Tensor& self, IntArrayRef shape) {
  impl::SizesAndStrides geometry = infer_view_sizes(shape, self.numel(), "reshape");
  const IntArrayRef sizes = geometry.sizes_arrayref();
  if (self.is_contiguous()) return self.view(sizes);
  if (set_view_strides(self, geometry)) return _reshape_alias(self, sizes, geometry.strides_arrayref());
  return _unsafe_view(self.clone(MemoryFormat::Contiguous), sizes);
}

Tensor flatten_composite(const Tensor& self, int64_t start_dim, int64_t end_dim) {
  const int64_t start = maybe_wrap_dim(start_dim, self.dim(), "flatten");
  const int64_t end = maybe_wrap_dim(end_dim, self.dim(), "flatten");
  GB_CHECK_OR_THROW(
      start <= end, ValueError,
      .what = "gb::flatten: flatten() has invalid args: start_dim cannot come after end_dim",
      .cause = fmt::format("start_dim {}, end_dim {}, {} dimensions", start_dim, end_dim, self.dim()),
      .repair = "exchange them", .chapter = chapters::kTensors);
  if (self.dim() == 0) return self.reshape({1});
  if (start == end) return self;
  // The product and not -1: with a size of 0 elsewhere -1 would be ambiguous.
  std::vector<int64_t> shape = self.sizes().slice(0, static_cast<size_t>(start)).vec();
  int64_t merged = 1;
  for (int64_t d = start; d <= end; ++d) merged *= self.sizes()[static_cast<size_t>(d)];
  shape.push_back(merged);
  for (int64_t d = end + 1; d < self.dim(); ++d) shape.push_back(self.sizes()[static_cast<size_t>(d)]);
  return self.reshape(shape);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) {
  m.impl("reshape", GB_FN(reshape_composite));
  m.impl("flatten.using_ints", GB_FN(flatten_composite));
}

}  // namespace gb
