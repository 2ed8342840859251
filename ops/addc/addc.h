// addcmul, addcdiv and lerp: three tensors in one operator, with one node.
//
//   addcmul   self + value * tensor1 * tensor2
//   addcdiv   self + value * tensor1 / tensor2        not of integers alone
//   lerp      self + weight * (end - self); from the other end where weight >= 0.5, so that weight 1 gives
//   end exactly
//
// With broadcasting; addcmul and addcdiv promote, lerp wants one dtype. The kernels are made of add, mul and
// div. Names follow ATen/native/{PointwiseOps,Lerp}.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor addcmul(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1);
Tensor addcdiv(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1);
Tensor lerp(const Tensor& self, const Tensor& end, const Scalar& weight);
Tensor lerp(const Tensor& self, const Tensor& end, const Tensor& weight);

using AddcOp = Tensor(const Tensor&, const Tensor&, const Tensor&, const Scalar&);
using AddcOp_ = Tensor&(Tensor&, const Tensor&, const Tensor&, const Scalar&);
inline const auto& addcmul_op() { return operator_of<"aten::addcmul", AddcOp>(); }
inline const auto& addcmul__op() { return operator_of<"aten::addcmul_", AddcOp_>(); }
inline const auto& addcdiv_op() { return operator_of<"aten::addcdiv", AddcOp>(); }
inline const auto& addcdiv__op() { return operator_of<"aten::addcdiv_", AddcOp_>(); }

using LerpOp = Tensor(const Tensor&, const Tensor&, const Tensor&);
using LerpOp_ = Tensor&(Tensor&, const Tensor&, const Tensor&);
using LerpScalarOp = Tensor(const Tensor&, const Tensor&, const Scalar&);
using LerpScalarOp_ = Tensor&(Tensor&, const Tensor&, const Scalar&);
inline const auto& lerp_op() { return operator_of<"aten::lerp.Tensor", LerpOp>(); }
inline const auto& lerp__op() { return operator_of<"aten::lerp_.Tensor", LerpOp_>(); }
inline const auto& lerp_scalar_op() { return operator_of<"aten::lerp.Scalar", LerpScalarOp>(); }
inline const auto& lerp__scalar_op() { return operator_of<"aten::lerp_.Scalar", LerpScalarOp_>(); }

}  // namespace gb
