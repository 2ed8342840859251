// t, transpose, unsqueeze, squeeze: views that exchange, add or drop a dimension; no element moves. In place (t_ and so
// on) the tensor itself gets the other sizes and strides: that counts as a write, though nobody else sees it.
//
//   t of W {600, 64}, strides {64, 1}  ->  {64, 600}, strides {1, 64}
//
// t takes at most two dimensions (Error); of fewer than two it is a view of the same. squeeze drops `dim`
// where its size is 1; without a dimension, all of size 1. Names follow ATen/native/TensorShape.cpp;
// PyTorch's t calls transpose, here each is one hop.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor t(const Tensor& self);
Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1);
Tensor unsqueeze(const Tensor& self, int64_t dim);
Tensor squeeze(const Tensor& self);
Tensor squeeze(const Tensor& self, int64_t dim);
Tensor squeeze(const Tensor& self, IntArrayRef dims);

Tensor& t_(Tensor& self);
Tensor& transpose_(Tensor& self, int64_t dim0, int64_t dim1);
Tensor& unsqueeze_(Tensor& self, int64_t dim);
Tensor& squeeze_(Tensor& self);
Tensor& squeeze_(Tensor& self, int64_t dim);
Tensor& squeeze_(Tensor& self, IntArrayRef dims);

inline const auto& t_op() { return operator_of<"aten::t", Tensor(const Tensor&)>(); }
inline const auto& transpose_op() {
  return operator_of<"aten::transpose.int", Tensor(const Tensor&, int64_t, int64_t)>();
}
inline const auto& unsqueeze_op() { return operator_of<"aten::unsqueeze", Tensor(const Tensor&, int64_t)>(); }
inline const auto& squeeze_op() { return operator_of<"aten::squeeze", Tensor(const Tensor&)>(); }
inline const auto& squeeze_dim_op() {
  return operator_of<"aten::squeeze.dim", Tensor(const Tensor&, int64_t)>();
}
inline const auto& squeeze_dims_op() {
  return operator_of<"aten::squeeze.dims", Tensor(const Tensor&, IntArrayRef)>();
}

inline const auto& t__op() { return operator_of<"aten::t_", Tensor&(Tensor&)>(); }
inline const auto& transpose__op() { return operator_of<"aten::transpose_", Tensor&(Tensor&, int64_t, int64_t)>(); }
inline const auto& unsqueeze__op() { return operator_of<"aten::unsqueeze_", Tensor&(Tensor&, int64_t)>(); }
inline const auto& squeeze__op() { return operator_of<"aten::squeeze_", Tensor&(Tensor&)>(); }
inline const auto& squeeze__dim_op() { return operator_of<"aten::squeeze_.dim", Tensor&(Tensor&, int64_t)>(); }
inline const auto& squeeze__dims_op() { return operator_of<"aten::squeeze_.dims", Tensor&(Tensor&, IntArrayRef)>(); }

}  // namespace gb
