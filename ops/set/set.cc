#include "ops/set/set.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("set_(Tensor(a!) self) -> Tensor(a!)");
  m.def("set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)");
  m.def(
      "set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor source, SymInt storage_offset, SymInt[] size, SymInt[] "
      "stride=[]) -> Tensor(a!)");
  m.def("set_.source_Storage(Tensor(a!) self, Storage source) -> Tensor(a!)");
  m.def(
      "set_.source_Storage_storage_offset(Tensor(a!) self, Storage source, SymInt storage_offset, SymInt[] size, SymInt[] "
      "stride=[]) -> Tensor(a!)");
}

Tensor& set_(Tensor& self) { GB_RETURN_CALL(set__op(), self); }
Tensor& set_(Tensor& self, const Tensor& source) { GB_RETURN_CALL(set__tensor_op(), self, source); }
Tensor& set_(Tensor& self, const Tensor& source, int64_t storage_offset, IntArrayRef size, IntArrayRef stride) {
  GB_RETURN_CALL(set__tensor_offset_op(), self, source, storage_offset, size, stride);
}
Tensor& set_(Tensor& self, Storage source) { GB_RETURN_CALL(set__storage_op(), self, std::move(source)); }
Tensor& set_(Tensor& self, Storage source, int64_t storage_offset, IntArrayRef size, IntArrayRef stride) {
  GB_RETURN_CALL(set__storage_offset_op(), self, std::move(source), storage_offset, size, stride);
}

Tensor& Tensor::set_() const { return gb::set_(const_cast<Tensor&>(*this)); }
Tensor& Tensor::set_(const Tensor& source) const { return gb::set_(const_cast<Tensor&>(*this), source); }
Tensor& Tensor::set_(const Tensor& source, int64_t storage_offset, IntArrayRef size, IntArrayRef stride) const {
  return gb::set_(const_cast<Tensor&>(*this), source, storage_offset, size, stride);
}
Tensor& Tensor::set_(Storage source) const { return gb::set_(const_cast<Tensor&>(*this), std::move(source)); }
Tensor& Tensor::set_(Storage source, int64_t storage_offset, IntArrayRef size, IntArrayRef stride) const {
  return gb::set_(const_cast<Tensor&>(*this), std::move(source), storage_offset, size, stride);
}

}  // namespace gb
