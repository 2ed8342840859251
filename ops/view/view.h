// view, reshape, _unsafe_view, _reshape_alias, flatten: the same elements, in the same order, in other sizes.
//
// view never copies: where no strides fit it is an Error that says to use reshape. reshape
// (CompositeImplicitAutograd) is view where that works, else a contiguous clone seen through _unsafe_view,
// which is view without the bookkeeping of views: its result is nobody's alias. One size may be -1. Names
// follow ATen/native/TensorShape.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor reshape(const Tensor& self, IntArrayRef shape);
Tensor _unsafe_view(const Tensor& self, IntArrayRef size);
// view with the strides given: what reshape calls on a tensor that is not contiguous but can still be viewed.
Tensor _reshape_alias(const Tensor& self, IntArrayRef size, IntArrayRef stride);
// Dimensions start_dim to end_dim, both included, become one.
Tensor flatten(const Tensor& self, int64_t start_dim = 0, int64_t end_dim = -1);

inline const auto& view_op() { return operator_of<"aten::view", Tensor(const Tensor&, IntArrayRef)>(); }
inline const auto& reshape_op() { return operator_of<"aten::reshape", Tensor(const Tensor&, IntArrayRef)>(); }
inline const auto& _unsafe_view_op() {
  return operator_of<"aten::_unsafe_view", Tensor(const Tensor&, IntArrayRef)>();
}
inline const auto& _reshape_alias_op() {
  return operator_of<"aten::_reshape_alias", Tensor(const Tensor&, IntArrayRef, IntArrayRef)>();
}
inline const auto& flatten_op() {
  return operator_of<"aten::flatten.using_ints", Tensor(const Tensor&, int64_t, int64_t)>();
}

}  // namespace gb
