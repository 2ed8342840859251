// matmul: the product of tensors of any number of dimensions. A composite: its gradient is that of what it
// calls.
//
//   [k] [k]                dot          [m, k] [k, n]                mm
//   [m, k] [k]             mv           [..., m, k] [k, n] or [k]    mm or mv, the batch folded into the rows
//   [k] [k, n]             mm           [..., m, k] [..., k, n]      bmm, the batches broadcast
//
// Folding saves a copy of the small operand per batch; it is done where the large one need not be copied for
// it, or where the small one requires grad: its gradient then is one product instead of a sum over batches.
// Names, and the rule, follow should_fold and _matmul_impl in ATen/native/LinearAlgebra.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor matmul(const Tensor& self, const Tensor& other);
Tensor mv(const Tensor& self, const Tensor& vec);
Tensor dot(const Tensor& self, const Tensor& tensor);

using ProductOp = Tensor(const Tensor&, const Tensor&);
inline const auto& matmul_op() { return operator_of<"aten::matmul", ProductOp>(); }
inline const auto& mv_op() { return operator_of<"aten::mv", ProductOp>(); }
inline const auto& dot_op() { return operator_of<"aten::dot", ProductOp>(); }

}  // namespace gb
