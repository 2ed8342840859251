// eq, ne, lt, le, gt, ge: element by element, the answer as bool; in place, the answer as 0 and 1 in self's
// dtype. Broadcasting and promotion as in arithmetic; a comparison with NaN is false (ne: true). No gradient:
// their slot at Autograd is a fallthrough; in place the gradient is zero.
//
// The operators == != < <= > >= between tensors are these, so `a == b` is a tensor, as in PyTorch.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor eq(const Tensor& self, const Tensor& other);
Tensor eq(const Tensor& self, const Scalar& other);
Tensor ne(const Tensor& self, const Tensor& other);
Tensor ne(const Tensor& self, const Scalar& other);
Tensor lt(const Tensor& self, const Tensor& other);
Tensor lt(const Tensor& self, const Scalar& other);
Tensor le(const Tensor& self, const Tensor& other);
Tensor le(const Tensor& self, const Scalar& other);
Tensor gt(const Tensor& self, const Tensor& other);
Tensor gt(const Tensor& self, const Scalar& other);
Tensor ge(const Tensor& self, const Tensor& other);
Tensor ge(const Tensor& self, const Scalar& other);

Tensor isnan(const Tensor& self);  // self != self
Tensor isinf(const Tensor& self);  // |self| is infinite

inline Tensor operator==(const Tensor& a, const Tensor& b) { return eq(a, b); }
inline Tensor operator==(const Tensor& a, const Scalar& b) { return eq(a, b); }
inline Tensor operator!=(const Tensor& a, const Tensor& b) { return ne(a, b); }
inline Tensor operator!=(const Tensor& a, const Scalar& b) { return ne(a, b); }
inline Tensor operator<(const Tensor& a, const Tensor& b) { return lt(a, b); }
inline Tensor operator<(const Tensor& a, const Scalar& b) { return lt(a, b); }
inline Tensor operator<=(const Tensor& a, const Tensor& b) { return le(a, b); }
inline Tensor operator<=(const Tensor& a, const Scalar& b) { return le(a, b); }
inline Tensor operator>(const Tensor& a, const Tensor& b) { return gt(a, b); }
inline Tensor operator>(const Tensor& a, const Scalar& b) { return gt(a, b); }
inline Tensor operator>=(const Tensor& a, const Tensor& b) { return ge(a, b); }
inline Tensor operator>=(const Tensor& a, const Scalar& b) { return ge(a, b); }

using CompareOp = Tensor(const Tensor&, const Tensor&);
using CompareOp_ = Tensor&(Tensor&, const Tensor&);
using CompareScalarOp = Tensor(const Tensor&, const Scalar&);
using CompareScalarOp_ = Tensor&(Tensor&, const Scalar&);

// x_op: aten::x.Tensor; x__op: aten::x_.Tensor; the others: .Scalar.
inline const auto& eq_op() { return operator_of<"aten::eq.Tensor", CompareOp>(); }
inline const auto& eq__op() { return operator_of<"aten::eq_.Tensor", CompareOp_>(); }
inline const auto& eq_scalar_op() { return operator_of<"aten::eq.Scalar", CompareScalarOp>(); }
inline const auto& eq__scalar_op() { return operator_of<"aten::eq_.Scalar", CompareScalarOp_>(); }
inline const auto& ne_op() { return operator_of<"aten::ne.Tensor", CompareOp>(); }
inline const auto& ne__op() { return operator_of<"aten::ne_.Tensor", CompareOp_>(); }
inline const auto& ne_scalar_op() { return operator_of<"aten::ne.Scalar", CompareScalarOp>(); }
inline const auto& ne__scalar_op() { return operator_of<"aten::ne_.Scalar", CompareScalarOp_>(); }
inline const auto& lt_op() { return operator_of<"aten::lt.Tensor", CompareOp>(); }
inline const auto& lt__op() { return operator_of<"aten::lt_.Tensor", CompareOp_>(); }
inline const auto& lt_scalar_op() { return operator_of<"aten::lt.Scalar", CompareScalarOp>(); }
inline const auto& lt__scalar_op() { return operator_of<"aten::lt_.Scalar", CompareScalarOp_>(); }
inline const auto& le_op() { return operator_of<"aten::le.Tensor", CompareOp>(); }
inline const auto& le__op() { return operator_of<"aten::le_.Tensor", CompareOp_>(); }
inline const auto& le_scalar_op() { return operator_of<"aten::le.Scalar", CompareScalarOp>(); }
inline const auto& le__scalar_op() { return operator_of<"aten::le_.Scalar", CompareScalarOp_>(); }
inline const auto& gt_op() { return operator_of<"aten::gt.Tensor", CompareOp>(); }
inline const auto& gt__op() { return operator_of<"aten::gt_.Tensor", CompareOp_>(); }
inline const auto& gt_scalar_op() { return operator_of<"aten::gt.Scalar", CompareScalarOp>(); }
inline const auto& gt__scalar_op() { return operator_of<"aten::gt_.Scalar", CompareScalarOp_>(); }
inline const auto& ge_op() { return operator_of<"aten::ge.Tensor", CompareOp>(); }
inline const auto& ge__op() { return operator_of<"aten::ge_.Tensor", CompareOp_>(); }
inline const auto& ge_scalar_op() { return operator_of<"aten::ge.Scalar", CompareScalarOp>(); }
inline const auto& ge__scalar_op() { return operator_of<"aten::ge_.Scalar", CompareScalarOp_>(); }
inline const auto& isnan_op() { return operator_of<"aten::isnan", Tensor(const Tensor&)>(); }
inline const auto& isinf_op() { return operator_of<"aten::isinf", Tensor(const Tensor&)>(); }

}  // namespace gb
