// one_hot: each class number as a row of zeros with a one in its place.
//
//   one_hot([0, 2], 3) = [[1, 0, 0], [0, 0, 1]]
//
// int64 in and out. Without num_classes, one more than the largest number. A composite of zeros and
// scatter_add, without gradient. Names follow ATen/native/Onehot.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor one_hot(const Tensor& self, int64_t num_classes = -1);

inline const auto& one_hot_op() { return operator_of<"aten::one_hot", Tensor(const Tensor&, int64_t)>(); }

}  // namespace gb
