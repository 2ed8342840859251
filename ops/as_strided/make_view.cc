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

}  // namespace gb
