// var, std and logsumexp over some or all dimensions.
//
//   var        sum of (x - mean)^2 over n - correction; correction 1 unless given. unbiased = true is
//   correction 1, = false 0 std        its square root logsumexp  log of the sum of exp(x), without overflow:
//   the largest x is taken out first
//
// Floating dtypes only for var and std; logsumexp computes integers in the default floating dtype. An empty
// list of dimensions (or none) means all. Without a degree of freedom (n <= correction) var is NaN or
// infinite, and warns. Careful, as in PyTorch: x.var({1}) is x.var(bool(1)); write x.var({1}, true) or
// x.var(IntArrayRef{1}). Names follow ATen/native/ReduceOps.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor var(const Tensor& self, bool unbiased);
Tensor var(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim = false);
Tensor var(const Tensor& self, OptionalIntArrayRef dim = {}, const std::optional<Scalar>& correction = {},
           bool keepdim = false);
Tensor std(const Tensor& self, bool unbiased);
Tensor std(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim = false);
Tensor std(const Tensor& self, OptionalIntArrayRef dim = {}, const std::optional<Scalar>& correction = {},
           bool keepdim = false);
Tensor logsumexp(const Tensor& self, IntArrayRef dim, bool keepdim = false);

using SpreadOp = Tensor(const Tensor&, bool);
using SpreadDimOp = Tensor(const Tensor&, OptionalIntArrayRef, bool, bool);
using SpreadCorrectionOp = Tensor(const Tensor&, OptionalIntArrayRef, const std::optional<Scalar>&, bool);
inline const auto& var_op() { return operator_of<"aten::var", SpreadOp>(); }
inline const auto& var_dim_op() { return operator_of<"aten::var.dim", SpreadDimOp>(); }
inline const auto& var_correction_op() { return operator_of<"aten::var.correction", SpreadCorrectionOp>(); }
inline const auto& std_op() { return operator_of<"aten::std", SpreadOp>(); }
inline const auto& std_dim_op() { return operator_of<"aten::std.dim", SpreadDimOp>(); }
inline const auto& std_correction_op() { return operator_of<"aten::std.correction", SpreadCorrectionOp>(); }
inline const auto& logsumexp_op() {
  return operator_of<"aten::logsumexp", Tensor(const Tensor&, IntArrayRef, bool)>();
}

}  // namespace gb
