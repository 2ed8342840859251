// flip and repeat: a new tensor with the elements of another in reverse order, or several times.
//
//   flip([[1, 2], [3, 4]], {0}) = [[3, 4], [1, 2]]      repeat([1, 2], {2, 2}) = [[1, 2, 1, 2], [1, 2, 1, 2]]
//
// There are no negative strides, so flip copies, in the layout of self. repeat is row-major; a repeat for a
// dimension that self lacks adds one in front. Names follow ATen/native/TensorTransformations.cpp and
// TensorShape.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor flip(const Tensor& self, IntArrayRef dims);

inline const auto& flip_op() { return operator_of<"aten::flip", Tensor(const Tensor&, IntArrayRef)>(); }
inline const auto& repeat_op() { return operator_of<"aten::repeat", Tensor(const Tensor&, IntArrayRef)>(); }

}  // namespace gb
