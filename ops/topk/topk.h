// topk: along one dimension, the k largest (or smallest) elements and where they stand.
//
//   topk([3, 1, 2], 2) = ([3, 2], [0, 2])
//
// NaN counts as the largest. Of equal elements the one that stands first comes first (PyTorch promises no
// order among them), and the result is sorted whether asked for or not. Names follow ATen/native/Sorting.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

// values, indices
std::tuple<Tensor, Tensor> topk(const Tensor& self, int64_t k, int64_t dim = -1, bool largest = true,
                                bool sorted = true);

inline const auto& topk_op() {
  return operator_of<"aten::topk", std::tuple<Tensor, Tensor>(const Tensor&, int64_t, int64_t, bool, bool)>();
}

}  // namespace gb
