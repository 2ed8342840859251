// max, min: of everything, or along one dimension with where it stands; argmax, argmin: only where.
//
//   x [[3, 1], [2, 5]]    max(x) = 5    max(x, 1) = ([3, 5], [0, 1])    argmax(x) = 3    argmax(x, 0) = [0,
//   1]
//
// Of equal elements max(x, dim) and argmax name the first; the first NaN beats all numbers. argmax without a
// dimension counts row by row. The largest of nothing is an IndexError. max(a, b) is maximum(a, b).
// Gradients: along a dimension, to the element that is named; of everything, to all equal ones in even
// shares. Names follow ATen/native/{ReduceOps,TensorCompare}.cpp.
#pragma once

#include <tuple>

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

using ValuesAndIndices = std::tuple<Tensor, Tensor>;

Tensor max(const Tensor& self);
ValuesAndIndices max(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor max(const Tensor& self, const Tensor& other);
Tensor min(const Tensor& self);
ValuesAndIndices min(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor min(const Tensor& self, const Tensor& other);
Tensor argmax(const Tensor& self, std::optional<int64_t> dim = {}, bool keepdim = false);
Tensor argmin(const Tensor& self, std::optional<int64_t> dim = {}, bool keepdim = false);
// The gradient of whatever picks one element along dim: zeros of `sizes` with grad where `indices` point.
Tensor value_selecting_reduction_backward(const Tensor& grad, int64_t dim, const Tensor& indices,
                                          IntArrayRef sizes, bool keepdim);

using ExtremumDimOp = ValuesAndIndices(const Tensor&, int64_t, bool);
using PositionOp = Tensor(const Tensor&, std::optional<int64_t>, bool);
inline const auto& max_op() { return operator_of<"aten::max", Tensor(const Tensor&)>(); }
inline const auto& max_dim_op() { return operator_of<"aten::max.dim", ExtremumDimOp>(); }
inline const auto& max_other_op() {
  return operator_of<"aten::max.other", Tensor(const Tensor&, const Tensor&)>();
}
inline const auto& min_op() { return operator_of<"aten::min", Tensor(const Tensor&)>(); }
inline const auto& min_dim_op() { return operator_of<"aten::min.dim", ExtremumDimOp>(); }
inline const auto& min_other_op() {
  return operator_of<"aten::min.other", Tensor(const Tensor&, const Tensor&)>();
}
inline const auto& argmax_op() { return operator_of<"aten::argmax", PositionOp>(); }
inline const auto& argmin_op() { return operator_of<"aten::argmin", PositionOp>(); }
inline const auto& value_selecting_reduction_backward_op() {
  return operator_of<"aten::value_selecting_reduction_backward",
                     Tensor(const Tensor&, int64_t, const Tensor&, IntArrayRef, bool)>();
}

}  // namespace gb
