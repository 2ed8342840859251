// t, transpose, unsqueeze, squeeze: views that exchange, add or drop a dimension; no element moves.
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

}  // namespace gb
