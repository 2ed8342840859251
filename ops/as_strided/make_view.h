// make_view: a second tensor over the same storage, the one thing that every view kernel does.
//
// The new tensor has the keys, dtype and device of `self` and a version counter of its own: that it is a
// *view* (shared counter, known base) is added above, by as_view in the operator's ADInplaceOrView kernel. A
// view of an inference tensor is an inference tensor. Source of the rule: alias_with_sizes_and_strides
// (ATen/native/TensorShape.cpp).
#pragma once

#include "core/tensor.h"

namespace gb {

// The caller has checked that the geometry stays inside the storage.
Tensor make_view(const Tensor& self, const impl::SizesAndStrides& geometry, int64_t storage_offset);
inline Tensor make_view(const Tensor& self, const impl::SizesAndStrides& geometry) {
  return make_view(self, geometry, self.storage_offset());
}

// Bytes from the start of a storage to behind the last element of this geometry; -1 where that number does not fit.
int64_t bytes_needed(IntArrayRef size, IntArrayRef stride, int64_t offset, int64_t itemsize);

// The same elements as those of `self`, which is contiguous, in other sizes that multiply to the same number.
Tensor make_contiguous_view(const Tensor& self, IntArrayRef sizes);

// Of dimension `dim` only the elements start, start + step, ..., `length` of them; or without that dimension,
// its element `index` alone. The caller has checked that they are there.
Tensor make_slice(const Tensor& self, int64_t dim, int64_t start, int64_t length, int64_t step = 1);
Tensor make_selection(const Tensor& self, int64_t dim, int64_t index);

}  // namespace gb
