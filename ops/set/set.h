// set_: the tensor stays the same object and gets other memory: that of another tensor, part of a storage, or none.
//
//   a.set_(b)                      a shows b's elements: one storage, b's offset, sizes and strides
//   a.set_(storage, 1, {2}, {2})   elements 1 and 3 of the storage; no strides: rows without gaps
//   a.set_(storage)                all of it, in one dimension
//   a.set_()                       an empty storage, sizes [0]
//
// It counts as a write to `a`: what saved `a` refuses its backward. dtype and device stay: another device is refused,
// and the bytes of another dtype are read as a's. A storage that is too small grows, for all who share it. Nobody can
// say where a gradient should go after this, so the history of `a` ends in a node that refuses to run (NotImplemented).
// Names follow ATen/native/TensorShape.cpp and TensorFactories.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor& set_(Tensor& self);
Tensor& set_(Tensor& self, const Tensor& source);
Tensor& set_(Tensor& self, const Tensor& source, int64_t storage_offset, IntArrayRef size, IntArrayRef stride = {});
Tensor& set_(Tensor& self, Storage source);
Tensor& set_(Tensor& self, Storage source, int64_t storage_offset, IntArrayRef size, IntArrayRef stride = {});

inline const auto& set__op() { return operator_of<"aten::set_", Tensor&(Tensor&)>(); }
inline const auto& set__tensor_op() { return operator_of<"aten::set_.source_Tensor", Tensor&(Tensor&, const Tensor&)>(); }
inline const auto& set__tensor_offset_op() {
  return operator_of<"aten::set_.source_Tensor_storage_offset",
                     Tensor&(Tensor&, const Tensor&, int64_t, IntArrayRef, IntArrayRef)>();
}
inline const auto& set__storage_op() { return operator_of<"aten::set_.source_Storage", Tensor&(Tensor&, Storage)>(); }
inline const auto& set__storage_offset_op() {
  return operator_of<"aten::set_.source_Storage_storage_offset",
                     Tensor&(Tensor&, Storage, int64_t, IntArrayRef, IntArrayRef)>();
}

}  // namespace gb
