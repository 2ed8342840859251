// addmm: beta * self + alpha * (mat1 mat2): what linear with a bias becomes.
//
//   self, broadcast to [m, n]    mat1 [m, k]    mat2 [k, n]    ->  a new contiguous [m, n]
//
// One dtype and one device for all three, else an Error. With beta == 0 self is not read, so a NaN in it does
// not spread. Of integer tensors alpha and beta must be integers. A transposed operand is read by its
// strides, not copied. Names follow ATen/native/LinearAlgebra.cpp.
#pragma once

#include "dispatcher/operator_handle.h"

namespace gb {

Tensor addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1,
             const Scalar& alpha = 1);

const TypedOperatorHandle<Tensor(const Tensor&, const Tensor&, const Tensor&, const Scalar&, const Scalar&)>&
addmm_op();

}  // namespace gb
