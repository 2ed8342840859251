// One kernel each for every backend, since no element is touched.
#include <fmt/format.h>

#include <utility>

#include "dispatcher/library.h"
#include "ops/as_strided/make_view.h"
#include "ops/common/geometry.h"
#include "ops/t/t.h"

namespace gb {
namespace {

Tensor exchanged(const Tensor& self, size_t a, size_t b) {
  impl::SizesAndStrides geometry = self.unsafeGetTensorImpl()->geometry();
  std::swap(geometry.size_at_unchecked(a), geometry.size_at_unchecked(b));
  std::swap(geometry.stride_at_unchecked(a), geometry.stride_at_unchecked(b));
  return make_view(self, geometry);
}

Tensor t_kernel(const Tensor& self) {
  GB_CHECK_OR_THROW(
      self.dim() <= 2, Error,
      .what = fmt::format("gb::t: t() expects a tensor with <= 2 dimensions, but self is {}D", self.dim()),
      .cause = fmt::format("self has sizes {}", to_string(self.sizes())),
      .repair = "name the two dimensions: gb::transpose(x, -2, -1)", .chapter = chapters::kTensors);
  return self.dim() < 2 ? make_view(self, self.unsafeGetTensorImpl()->geometry()) : exchanged(self, 0, 1);
}

Tensor transpose_kernel(const Tensor& self, int64_t dim0, int64_t dim1) {
  const auto a = static_cast<size_t>(maybe_wrap_dim(dim0, self.dim(), "transpose"));
  const auto b = static_cast<size_t>(maybe_wrap_dim(dim1, self.dim(), "transpose"));
  return a == b ? make_view(self, self.unsafeGetTensorImpl()->geometry()) : exchanged(self, a, b);
}

Tensor unsqueeze_kernel(const Tensor& self, int64_t dim) {
  const auto at = static_cast<size_t>(maybe_wrap_dim(dim, self.dim() + 1, "unsqueeze"));
  const IntArrayRef sizes = self.sizes(), strides = self.strides();
  impl::SizesAndStrides geometry;
  geometry.resize(sizes.size() + 1);
  for (size_t d = 0; d < sizes.size(); ++d) {
    geometry.size_at_unchecked(d + (d >= at)) = sizes[d];
    geometry.stride_at_unchecked(d + (d >= at)) = strides[d];
  }
  geometry.size_at_unchecked(at) = 1;
  geometry.stride_at_unchecked(at) = at < sizes.size() ? sizes[at] * strides[at] : 1;
  return make_view(self, geometry);
}

// Without the dimensions of size 1 that `goes` names.
Tensor without(const Tensor& self, const std::vector<bool>& goes) {
  const IntArrayRef sizes = self.sizes(), strides = self.strides();
  std::vector<int64_t> kept_sizes, kept_strides;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (goes[d] && sizes[d] == 1) continue;
    kept_sizes.push_back(sizes[d]);
    kept_strides.push_back(strides[d]);
  }
  impl::SizesAndStrides geometry;
  geometry.set_sizes(kept_sizes);
  geometry.set_strides(kept_strides);
  return make_view(self, geometry);
}

Tensor squeeze_kernel(const Tensor& self) {
  return without(self, std::vector<bool>(self.sizes().size(), true));
}
Tensor squeeze_dim_kernel(const Tensor& self, int64_t dim) {
  const auto at = static_cast<size_t>(maybe_wrap_dim(dim, self.dim(), "squeeze"));
  std::vector<bool> goes(self.sizes().size(), false);
  if (self.dim() > 0) goes[at] = true;
  return without(self, goes);
}
Tensor squeeze_dims_kernel(const Tensor& self, IntArrayRef dims) {
  return without(self, named_dims(dims, self.dim(), "squeeze"));
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("t", GB_FN(t_kernel));
  m.impl("transpose.int", GB_FN(transpose_kernel));
  m.impl("unsqueeze", GB_FN(unsqueeze_kernel));
  m.impl("squeeze", GB_FN(squeeze_kernel));
  m.impl("squeeze.dim", GB_FN(squeeze_dim_kernel));
  m.impl("squeeze.dims", GB_FN(squeeze_dims_kernel));
}

}  // namespace gb
