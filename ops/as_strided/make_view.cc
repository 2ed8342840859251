#include "ops/as_strided/make_view.h"

namespace gb {

Tensor make_view(const Tensor& self, const impl::SizesAndStrides& geometry, int64_t storage_offset) {
  Tensor view = detail::make_tensor<TensorImpl>(TensorImpl::VIEW, *self.unsafeGetTensorImpl());
  view.unsafeGetTensorImpl()->adopt_geometry(geometry, storage_offset);
  return view;
}

Tensor make_contiguous_view(const Tensor& self, IntArrayRef sizes) {
  Tensor view = detail::make_tensor<TensorImpl>(TensorImpl::VIEW, *self.unsafeGetTensorImpl());
  view.unsafeGetTensorImpl()->set_storage_offset(self.storage_offset());
  view.unsafeGetTensorImpl()->set_sizes_contiguous(sizes, self.numel());
  return view;
}

Tensor make_slice(const Tensor& self, int64_t dim, int64_t start, int64_t length, int64_t step) {
  const auto at = static_cast<size_t>(dim);
  impl::SizesAndStrides geometry = self.unsafeGetTensorImpl()->geometry();
  const int64_t offset = self.storage_offset() + start * geometry.stride_at_unchecked(at);
  geometry.size_at_unchecked(at) = length;
  geometry.stride_at_unchecked(at) *= step;
  return make_view(self, geometry, offset);
}

Tensor make_selection(const Tensor& self, int64_t dim, int64_t index) {
  impl::SizesAndStrides geometry = self.unsafeGetTensorImpl()->geometry();
  const int64_t offset =
      self.storage_offset() + index * geometry.stride_at_unchecked(static_cast<size_t>(dim));
  for (auto d = static_cast<size_t>(dim); d + 1 < geometry.size(); ++d) {
    geometry.size_at_unchecked(d) = geometry.size_at_unchecked(d + 1);
    geometry.stride_at_unchecked(d) = geometry.stride_at_unchecked(d + 1);
  }
  geometry.resize(geometry.size() - 1);
  return make_view(self, geometry, offset);
}

}  // namespace gb
