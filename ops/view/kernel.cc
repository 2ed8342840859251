// view, _unsafe_view and _reshape_alias: one kernel for every backend, since no element is touched.
#include <fmt/format.h>

#include "dispatcher/library.h"
#include "ops/as_strided/make_view.h"
#include "ops/view/view.h"
#include "ops/view/view_geometry.h"

namespace gb {
namespace {

[[noreturn, gnu::cold]] void throw_incompatible(const Tensor& self, const impl::SizesAndStrides& geometry) {
  GB_THROW(Error, .what = "gb::view: view size is not compatible with input tensor's size and stride",
           .cause = fmt::format(
               "a tensor of sizes {} and strides {} cannot be walked as {}: a new dimension would span "
               "two dimensions that do not lie in one even walk",
               to_string(self.sizes()), to_string(self.strides()), to_string(geometry.sizes_arrayref())),
           .repair = "use reshape, which copies where it must", .chapter = chapters::kTensors);
}

// Do the sizes multiply to numel? No for anything that needs a closer look: a -1, a negative size, an overflow.
bool multiply_to(IntArrayRef sizes, int64_t numel) {
  int64_t product = 1;
  bool odd = false;
  for (int64_t size : sizes) odd |= size < 0 || __builtin_mul_overflow(product, size, &product);
  return !odd && product == numel;
}

Tensor view_kernel(const Tensor& self, IntArrayRef size) {
  // Nearly every view: a contiguous tensor, and all sizes given. Then there is nothing to find out.
  if (self.is_contiguous() && self.numel() != 0 && multiply_to(size, self.numel())) {
    return make_contiguous_view(self, size);
  }
  impl::SizesAndStrides geometry = infer_view_sizes(size, self.numel(), "view");
  if (!set_view_strides(self, geometry)) throw_incompatible(self, geometry);
  return make_view(self, geometry);
}

Tensor reshape_alias_kernel(const Tensor& self, IntArrayRef size, IntArrayRef stride) {
  impl::SizesAndStrides geometry = infer_view_sizes(size, self.numel(), "_reshape_alias");
  if (!set_view_strides(self, geometry)) throw_incompatible(self, geometry);
  GB_CHECK_OR_THROW(geometry.strides_arrayref() == stride, ValueError,
                    .what = "gb::_reshape_alias: these strides do not walk the tensor's elements in order",
                    .cause = fmt::format("strides {} for sizes {}; {} would", to_string(stride), to_string(size),
                                         to_string(geometry.strides_arrayref())),
                    .repair = "call reshape, which finds the strides", .chapter = chapters::kTensors);
  return make_view(self, geometry);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) { m.impl("view", GB_FN(view_kernel)); }
GB_LIBRARY_IMPL(aten, CUDA, m) { m.impl("view", GB_FN(view_kernel)); }
GB_LIBRARY_IMPL(aten, Meta, m) { m.impl("view", GB_FN(view_kernel)); }
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("_unsafe_view", GB_FN(view_kernel));
  m.impl("_reshape_alias", GB_FN(reshape_alias_kernel));
}

}  // namespace gb
