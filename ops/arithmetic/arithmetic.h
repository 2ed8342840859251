// add, sub, mul, div: a (op) b with broadcasting and type promotion; add and sub scale b by alpha first.
//
// One tight family: the four share their kernels (ops/common/binary_op.h) and differ in their gradients.
// Reading order: arithmetic.cc (schemas, entry points), cpu.cc, autograd.cc (the gradients). A number as second
// operand becomes a wrapped 0-dim tensor in the .Scalar overload, so promotion sees it as a number. div of integers
// gives the default floating dtype. What is refused: ops/common/checks.h, binary_op.cc.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor add(const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor add(const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
Tensor sub(const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor sub(const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
Tensor mul(const Tensor& self, const Tensor& other);
Tensor mul(const Tensor& self, const Scalar& other);
Tensor div(const Tensor& self, const Tensor& other);
Tensor div(const Tensor& self, const Scalar& other);

using ScaledOp = Tensor(const Tensor&, const Tensor&, const Scalar&);
using ScaledOp_ = Tensor&(Tensor&, const Tensor&, const Scalar&);
using ScaledScalarOp = Tensor(const Tensor&, const Scalar&, const Scalar&);
using ScaledScalarOp_ = Tensor&(Tensor&, const Scalar&, const Scalar&);
using PlainOp = Tensor(const Tensor&, const Tensor&);
using PlainOp_ = Tensor&(Tensor&, const Tensor&);
using PlainScalarOp = Tensor(const Tensor&, const Scalar&);
using PlainScalarOp_ = Tensor&(Tensor&, const Scalar&);

inline const auto& add_op() { return operator_of<"aten::add.Tensor", ScaledOp>(); }
inline const auto& add__op() { return operator_of<"aten::add_.Tensor", ScaledOp_>(); }
inline const auto& add_scalar_op() { return operator_of<"aten::add.Scalar", ScaledScalarOp>(); }
inline const auto& add__scalar_op() { return operator_of<"aten::add_.Scalar", ScaledScalarOp_>(); }
inline const auto& sub_op() { return operator_of<"aten::sub.Tensor", ScaledOp>(); }
inline const auto& sub__op() { return operator_of<"aten::sub_.Tensor", ScaledOp_>(); }
inline const auto& sub_scalar_op() { return operator_of<"aten::sub.Scalar", ScaledScalarOp>(); }
inline const auto& sub__scalar_op() { return operator_of<"aten::sub_.Scalar", ScaledScalarOp_>(); }
inline const auto& mul_op() { return operator_of<"aten::mul.Tensor", PlainOp>(); }
inline const auto& mul__op() { return operator_of<"aten::mul_.Tensor", PlainOp_>(); }
inline const auto& mul_scalar_op() { return operator_of<"aten::mul.Scalar", PlainScalarOp>(); }
inline const auto& mul__scalar_op() { return operator_of<"aten::mul_.Scalar", PlainScalarOp_>(); }
inline const auto& div_op() { return operator_of<"aten::div.Tensor", PlainOp>(); }
inline const auto& div__op() { return operator_of<"aten::div_.Tensor", PlainOp_>(); }
inline const auto& div_scalar_op() { return operator_of<"aten::div.Scalar", PlainScalarOp>(); }
inline const auto& div__scalar_op() { return operator_of<"aten::div_.Scalar", PlainScalarOp_>(); }

}  // namespace gb
