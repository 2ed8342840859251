// bmm: one matrix product per batch. baddbmm: beta * self + alpha * that product.
//
//   self [b, m, k]    mat2 [b, k, n]    ->  a new contiguous [b, m, n]
//   baddbmm's self is broadcast to [b, m, n]; with beta == 0 it is not read. baddbmm_ writes into it, so it
//   must have those sizes already.
//
// One dtype (floating, int32 or int64) and one device for all, no promotion: else an Error. Each matrix is
// read by its strides, as mm does. Names follow ATen/native/LinearAlgebra.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor bmm(const Tensor& self, const Tensor& mat2);
Tensor baddbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
               const Scalar& alpha = 1);

inline const auto& bmm_op() { return operator_of<"aten::bmm", Tensor(const Tensor&, const Tensor&)>(); }
inline const auto& baddbmm_op() {
  return operator_of<"aten::baddbmm",
                     Tensor(const Tensor&, const Tensor&, const Tensor&, const Scalar&, const Scalar&)>();
}
inline const auto& baddbmm__op() {
  return operator_of<"aten::baddbmm_",
                     Tensor&(Tensor&, const Tensor&, const Tensor&, const Scalar&, const Scalar&)>();
}

}  // namespace gb
