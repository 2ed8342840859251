// One kernel each for every backend, since no element is touched: the geometry is computed, and a view gets it, or in
// place the tensor itself.
#include <fmt/format.h>

#include <utility>

#include "dispatcher/library.h"
#include "ops/as_strided/make_view.h"
#include "ops/common/geometry.h"
#include "ops/t/t.h"

namespace gb {
namespace {

using impl::SizesAndStrides;

const SizesAndStrides& geometry_of(const Tensor& self) { return self.unsafeGetTensorImpl()->geometry(); }

SizesAndStrides exchanged(const Tensor& self, size_t a, size_t b) {
  SizesAndStrides geometry = geometry_of(self);
  if (a == b) return geometry;
  std::swap(geometry.size_at_unchecked(a), geometry.size_at_unchecked(b));
  std::swap(geometry.stride_at_unchecked(a), geometry.stride_at_unchecked(b));
  return geometry;
}

SizesAndStrides of_t(const Tensor& self, const char* op) {
  GB_CHECK_OR_THROW(
      self.dim() <= 2, Error,
      .what = fmt::format("gb::{0}: {0}() expects a tensor with <= 2 dimensions, but self is {1}D", op, self.dim()),
      .cause = fmt::format("self has sizes {}", to_string(self.sizes())),
      .repair = "name the two dimensions: gb::transpose(x, -2, -1)", .chapter = chapters::kTensors);
  return self.dim() < 2 ? geometry_of(self) : exchanged(self, 0, 1);
}

SizesAndStrides of_transpose(const Tensor& self, const char* op, int64_t dim0, int64_t dim1) {
  return exchanged(self, static_cast<size_t>(maybe_wrap_dim(dim0, self.dim(), op)),
                   static_cast<size_t>(maybe_wrap_dim(dim1, self.dim(), op)));
}

SizesAndStrides of_unsqueeze(const Tensor& self, const char* op, int64_t dim) {
  const auto at = static_cast<size_t>(maybe_wrap_dim(dim, self.dim() + 1, op));
  const IntArrayRef sizes = self.sizes(), strides = self.strides();
  SizesAndStrides geometry;
  geometry.resize(sizes.size() + 1);
  for (size_t d = 0; d < sizes.size(); ++d) {
    geometry.size_at_unchecked(d + (d >= at)) = sizes[d];
    geometry.stride_at_unchecked(d + (d >= at)) = strides[d];
  }
  geometry.size_at_unchecked(at) = 1;
  geometry.stride_at_unchecked(at) = at < sizes.size() ? sizes[at] * strides[at] : 1;
  return geometry;
}

// Without the dimensions of size 1 that `goes` names.
SizesAndStrides without(const Tensor& self, const std::vector<bool>& goes) {
  const IntArrayRef sizes = self.sizes(), strides = self.strides();
  std::vector<int64_t> kept_sizes, kept_strides;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (goes[d] && sizes[d] == 1) continue;
    kept_sizes.push_back(sizes[d]);
    kept_strides.push_back(strides[d]);
  }
  SizesAndStrides geometry;
  geometry.set_sizes(kept_sizes);
  geometry.set_strides(kept_strides);
  return geometry;
}

SizesAndStrides of_squeeze(const Tensor& self, const char*) {
  return without(self, std::vector<bool>(self.sizes().size(), true));
}
SizesAndStrides of_squeeze_dim(const Tensor& self, const char* op, int64_t dim) {
  const auto at = static_cast<size_t>(maybe_wrap_dim(dim, self.dim(), op));
  std::vector<bool> goes(self.sizes().size(), false);
  if (self.dim() > 0) goes[at] = true;
  return without(self, goes);
}
SizesAndStrides of_squeeze_dims(const Tensor& self, const char* op, IntArrayRef dims) {
  return without(self, named_dims(dims, self.dim(), op));
}

Tensor& adopt(Tensor& self, const SizesAndStrides& geometry) {
  self.unsafeGetTensorImpl()->adopt_geometry(geometry, self.storage_offset());
  return self;
}

Tensor t_kernel(const Tensor& self) { return make_view(self, of_t(self, "t")); }
Tensor transpose_kernel(const Tensor& self, int64_t dim0, int64_t dim1) {
  return make_view(self, of_transpose(self, "transpose", dim0, dim1));
}
Tensor unsqueeze_kernel(const Tensor& self, int64_t dim) { return make_view(self, of_unsqueeze(self, "unsqueeze", dim)); }
Tensor squeeze_kernel(const Tensor& self) { return make_view(self, of_squeeze(self, "squeeze")); }
Tensor squeeze_dim_kernel(const Tensor& self, int64_t dim) {
  return make_view(self, of_squeeze_dim(self, "squeeze", dim));
}
Tensor squeeze_dims_kernel(const Tensor& self, IntArrayRef dims) {
  return make_view(self, of_squeeze_dims(self, "squeeze", dims));
}

Tensor& t__kernel(Tensor& self) { return adopt(self, of_t(self, "t_")); }
Tensor& transpose__kernel(Tensor& self, int64_t dim0, int64_t dim1) {
  return adopt(self, of_transpose(self, "transpose_", dim0, dim1));
}
Tensor& unsqueeze__kernel(Tensor& self, int64_t dim) { return adopt(self, of_unsqueeze(self, "unsqueeze_", dim)); }
Tensor& squeeze__kernel(Tensor& self) { return adopt(self, of_squeeze(self, "squeeze_")); }
Tensor& squeeze__dim_kernel(Tensor& self, int64_t dim) { return adopt(self, of_squeeze_dim(self, "squeeze_", dim)); }
Tensor& squeeze__dims_kernel(Tensor& self, IntArrayRef dims) {
  return adopt(self, of_squeeze_dims(self, "squeeze_", dims));
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("t", GB_FN(t_kernel));
  m.impl("transpose.int", GB_FN(transpose_kernel));
  m.impl("unsqueeze", GB_FN(unsqueeze_kernel));
  m.impl("squeeze", GB_FN(squeeze_kernel));
  m.impl("squeeze.dim", GB_FN(squeeze_dim_kernel));
  m.impl("squeeze.dims", GB_FN(squeeze_dims_kernel));
  m.impl("t_", GB_FN(t__kernel));
  m.impl("transpose_", GB_FN(transpose__kernel));
  m.impl("unsqueeze_", GB_FN(unsqueeze__kernel));
  m.impl("squeeze_", GB_FN(squeeze__kernel));
  m.impl("squeeze_.dim", GB_FN(squeeze__dim_kernel));
  m.impl("squeeze_.dims", GB_FN(squeeze__dims_kernel));
}

}  // namespace gb
