// gather and scatter_add: elements moved by an index tensor along one dimension. Each is the other's
// gradient.
//
//   gather        out[i][j] = self[i][index[i][j]]                       (dim 1; out has index's sizes)
//   scatter_add   out = self, then out[i][index[i][j]] += src[i][j]      (out has self's sizes)
//   scatter_add_  the same, in self; index and src must not share its memory
//
// index is int64, has as many dimensions as self (and src) and may be smaller than they are, but along dim of
// self, where it may be larger. An index outside [0, size(dim)) is an IndexError; negative ones are.
// sparse_grad is refused where a gradient is recorded. Names follow ATen/native/TensorAdvancedIndexing.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor gather(const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad = false);
Tensor scatter_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src);

inline const auto& gather_op() {
  return operator_of<"aten::gather", Tensor(const Tensor&, int64_t, const Tensor&, bool)>();
}
inline const auto& scatter_add_op() {
  return operator_of<"aten::scatter_add", Tensor(const Tensor&, int64_t, const Tensor&, const Tensor&)>();
}
inline const auto& scatter_add__op() {
  return operator_of<"aten::scatter_add_", Tensor&(Tensor&, int64_t, const Tensor&, const Tensor&)>();
}

}  // namespace gb
