// as_strided: any sizes, strides and offset over the storage of a tensor.
//
//   x = [0, 1, 2, 3]    as_strided(x, {2, 2}, {1, 2}) = [[0, 2], [1, 3]]
//
// Strides and offset count elements and must not be negative; every element must lie inside the storage
// (Error). Without an offset, that of `self`. Elements may overlap. Gradients: see autograd.cc. Chapter:
// docs/en/theory/00-motivation.md#tensors. Names follow ATen/native/TensorShape.cpp.
#pragma once

#include "dispatcher/operator_handle.h"

namespace gb {

Tensor as_strided(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                  std::optional<int64_t> storage_offset = {});

const TypedOperatorHandle<Tensor(const Tensor&, IntArrayRef, IntArrayRef, std::optional<int64_t>)>&
as_strided_op();

}  // namespace gb
