// expand: a view in which dimensions of size 1 are repeated by stride 0, and new dimensions come in front.
//
//   x of sizes {2, 1}, strides {1, 1}     expand(x, {4, -1, 3}): sizes {4, 2, 3}, strides {0, 1, 0}
//
// -1 keeps a size. Several elements of the result are one in memory, so it must not be written in place.
// `implicit` is carried for the schema only, as in PyTorch. Names follow ATen/native/TensorShape.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor expand(const Tensor& self, IntArrayRef size, bool implicit = false);

inline const auto& expand_op() { return operator_of<"aten::expand", Tensor(const Tensor&, IntArrayRef, bool)>(); }

}  // namespace gb
