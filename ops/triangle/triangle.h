// tril and triu: the part of each matrix on and below a diagonal, or on and above it; zeros elsewhere.
//
//   tril(x) keeps x[i, j] where j <= i + diagonal      triu(x) where j >= i + diagonal
//
// The last two dimensions are the matrix. The result is row-major, the in-place forms write only what becomes
// zero. Names follow ATen/native/TriangularOps.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor tril(const Tensor& self, int64_t diagonal = 0);
Tensor triu(const Tensor& self, int64_t diagonal = 0);

inline const auto& tril_op() { return operator_of<"aten::tril", Tensor(const Tensor&, int64_t)>(); }
inline const auto& triu_op() { return operator_of<"aten::triu", Tensor(const Tensor&, int64_t)>(); }
inline const auto& tril__op() { return operator_of<"aten::tril_", Tensor&(Tensor&, int64_t)>(); }
inline const auto& triu__op() { return operator_of<"aten::triu_", Tensor&(Tensor&, int64_t)>(); }

}  // namespace gb
