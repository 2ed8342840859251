#include "ops/as_strided/make_view.h"

namespace gb {

Tensor make_view(const Tensor& self, const impl::SizesAndStrides& geometry, int64_t storage_offset) {
  const TensorImpl& from = *self.unsafeGetTensorImpl();
  // The constructor would give an inference tensor the keys it must not have, so that one is copied.
  auto view = from.is_inference() ? from.shallow_copy_and_detach(VariableVersion())
              : from.storage()
                  ? make_intrusive<TensorImpl>(Storage(from.storage()), from.key_set(), from.dtype())
                  : make_intrusive<TensorImpl>(from.key_set(), from.dtype(), from.device());
  view->adopt_geometry(geometry, storage_offset);
  return Tensor::wrap_tensor_impl(std::move(view));
}

}  // namespace gb
