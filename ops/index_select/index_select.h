// index_select and index_add: whole slices of one dimension, named by a vector of indices.
//
//   index_select([[1, 2], [3, 4]], 0, [1, 1])            = [[3, 4], [3, 4]]
//   index_add([[1, 2], [3, 4]], 0, [1, 1], [[5, 6], [7, 8]]) = [[1, 2], [3 + 5 + 7, 4 + 6 + 8]]
//
// The index is int64 or int32, of one dimension or none. Both walk the kernels of gather and scatter_add with
// an index that stands still in all dimensions but one. Results are row-major. Each is the other's gradient.
// Names follow ATen/native/ TensorAdvancedIndexing.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor index_select(const Tensor& self, int64_t dim, const Tensor& index);
Tensor index_select_backward(const Tensor& grad, IntArrayRef self_sizes, int64_t dim, const Tensor& index);
Tensor index_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                 const Scalar& alpha = 1);

inline const auto& index_select_op() {
  return operator_of<"aten::index_select", Tensor(const Tensor&, int64_t, const Tensor&)>();
}
inline const auto& index_select_backward_op() {
  return operator_of<"aten::index_select_backward",
                     Tensor(const Tensor&, IntArrayRef, int64_t, const Tensor&)>();
}
inline const auto& index_add_op() {
  return operator_of<"aten::index_add",
                     Tensor(const Tensor&, int64_t, const Tensor&, const Tensor&, const Scalar&)>();
}
inline const auto& index_add__op() {
  return operator_of<"aten::index_add_",
                     Tensor&(Tensor&, int64_t, const Tensor&, const Tensor&, const Scalar&)>();
}

}  // namespace gb
