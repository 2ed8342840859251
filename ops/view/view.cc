#include "ops/view/view.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("view(Tensor(a) self, SymInt[] size) -> Tensor(a)");
  m.def("_unsafe_view(Tensor self, SymInt[] size) -> Tensor");
  m.def("_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)");
  m.def("reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)");
  m.def("flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)");
}

Tensor reshape(const Tensor& self, IntArrayRef shape) { GB_RETURN_CALL(reshape_op(), self, shape); }
Tensor _unsafe_view(const Tensor& self, IntArrayRef size) { GB_RETURN_CALL(_unsafe_view_op(), self, size); }
Tensor _reshape_alias(const Tensor& self, IntArrayRef size, IntArrayRef stride) {
  GB_RETURN_CALL(_reshape_alias_op(), self, size, stride);
}
Tensor flatten(const Tensor& self, int64_t start_dim, int64_t end_dim) {
  GB_RETURN_CALL(flatten_op(), self, start_dim, end_dim);
}

Tensor Tensor::view(IntArrayRef sizes) const { GB_RETURN_CALL(view_op(), *this, sizes); }
Tensor Tensor::flatten(int64_t start_dim, int64_t end_dim) const { GB_RETURN_CALL(flatten_op(), *this, start_dim, end_dim); }
Tensor Tensor::reshape(IntArrayRef sizes) const { GB_RETURN_CALL(reshape_op(), *this, sizes); }

}  // namespace gb
