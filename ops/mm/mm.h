// mm: the product of two matrices. self [m, k] times mat2 [k, n] is a new contiguous [m, n].
//
// One dtype (floating; on the CPU int32 and int64 too) and one device for both, no broadcasting, no
// promotion: anything else is an Error. k == 0 gives zeros. A transposed operand is read by its strides, not
// copied. Names follow ATen/native/LinearAlgebra.cpp.
#pragma once

#include "dispatcher/operator_handle.h"

namespace gb {

Tensor mm(const Tensor& self, const Tensor& mat2);

const TypedOperatorHandle<Tensor(const Tensor&, const Tensor&)>& mm_op();

}  // namespace gb
