// view and _unsafe_view: one kernel for every backend, since no element is touched.
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

Tensor view_kernel(const Tensor& self, IntArrayRef size) {
  impl::SizesAndStrides geometry = infer_view_sizes(size, self.numel(), "view");
  if (!set_view_strides(self, geometry)) throw_incompatible(self, geometry);
  return make_view(self, geometry);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) { m.impl("view", GB_FN(view_kernel)); }
GB_LIBRARY_IMPL(aten, CUDA, m) { m.impl("view", GB_FN(view_kernel)); }
GB_LIBRARY_IMPL(aten, Meta, m) { m.impl("view", GB_FN(view_kernel)); }
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) { m.impl("_unsafe_view", GB_FN(view_kernel)); }

}  // namespace gb
