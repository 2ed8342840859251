// t, transpose, unsqueeze, squeeze: views that exchange, add or drop a dimension; no element moves.
//
//   t of W {600, 64}, strides {64, 1}  ->  {64, 600}, strides {1, 64}
//
// t takes at most two dimensions (Error); of fewer than two it is a view of the same. squeeze drops `dim`
// where its size is
// 1. Names follow ATen/native/TensorShape.cpp; PyTorch's t calls transpose, here each is one hop.
#pragma once

#include "dispatcher/operator_handle.h"

namespace gb {

Tensor t(const Tensor& self);
Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1);
Tensor unsqueeze(const Tensor& self, int64_t dim);
Tensor squeeze(const Tensor& self, int64_t dim);

const TypedOperatorHandle<Tensor(const Tensor&)>& t_op();
const TypedOperatorHandle<Tensor(const Tensor&, int64_t, int64_t)>& transpose_op();
const TypedOperatorHandle<Tensor(const Tensor&, int64_t)>& unsqueeze_op();
const TypedOperatorHandle<Tensor(const Tensor&, int64_t)>& squeeze_op();

}  // namespace gb
