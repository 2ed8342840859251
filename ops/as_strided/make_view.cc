#include "ops/as_strided/make_view.h"

namespace gb {

Tensor make_view(const Tensor& self, const impl::SizesAndStrides& geometry, int64_t storage_offset) {
  Tensor view = detail::make_tensor<TensorImpl>(TensorImpl::VIEW, *self.unsafeGetTensorImpl());
  view.unsafeGetTensorImpl()->adopt_geometry(geometry, storage_offset);
  return view;
}

int64_t bytes_needed(IntArrayRef size, IntArrayRef stride, int64_t offset, int64_t itemsize) {
  int64_t last = offset;
  for (size_t d = 0; d < size.size(); ++d) {
    if (size[d] == 0) return 0;
    int64_t reach;
    if (__builtin_mul_overflow(size[d] - 1, stride[d], &reach) || __builtin_add_overflow(last, reach, &last))
      return -1;
  }
  int64_t bytes;
  if (__builtin_add_overflow(last, int64_t{1}, &last) || __builtin_mul_overflow(last, itemsize, &bytes)) return -1;
  return bytes;
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
