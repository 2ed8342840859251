// add, sub, mul, div: a (op) b with broadcasting and type promotion; add and sub scale b by alpha first.
//
// One tight family: the four share their kernels (ops/common/binary_op.h) and differ in their gradients.
// Reading order: arithmetic.cc (schemas, entry points), cpu.cc, autograd_add.cc (its gradient),
// autograd_mul.cc. A number as second operand becomes a wrapped 0-dim tensor in the .Scalar overload, so
// promotion sees it as a number. div of integers gives the default floating dtype. What is refused:
// ops/common/checks.h, binary_op.cc.
#pragma once

#include "core/tensor.h"
#include "dispatcher/operator_handle.h"

namespace gb {

Tensor add(const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor add(const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
Tensor sub(const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor sub(const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
Tensor mul(const Tensor& self, const Tensor& other);
Tensor mul(const Tensor& self, const Scalar& other);
Tensor div(const Tensor& self, const Tensor& other);
Tensor div(const Tensor& self, const Scalar& other);

using ScaledOp = TypedOperatorHandle<Tensor(const Tensor&, const Tensor&, const Scalar&)>;
using ScaledOp_ = TypedOperatorHandle<Tensor&(Tensor&, const Tensor&, const Scalar&)>;
using ScaledScalarOp = TypedOperatorHandle<Tensor(const Tensor&, const Scalar&, const Scalar&)>;
using ScaledScalarOp_ = TypedOperatorHandle<Tensor&(Tensor&, const Scalar&, const Scalar&)>;
using PlainOp = TypedOperatorHandle<Tensor(const Tensor&, const Tensor&)>;
using PlainOp_ = TypedOperatorHandle<Tensor&(Tensor&, const Tensor&)>;
using PlainScalarOp = TypedOperatorHandle<Tensor(const Tensor&, const Scalar&)>;
using PlainScalarOp_ = TypedOperatorHandle<Tensor&(Tensor&, const Scalar&)>;

// x_op: aten::x.Tensor; x__op: aten::x_.Tensor; the others: .Scalar.
const ScaledOp& add_op();
const ScaledOp_& add__op();
const ScaledScalarOp& add_scalar_op();
const ScaledScalarOp_& add__scalar_op();
const ScaledOp& sub_op();
const ScaledOp_& sub__op();
const ScaledScalarOp& sub_scalar_op();
const ScaledScalarOp_& sub__scalar_op();
const PlainOp& mul_op();
const PlainOp_& mul__op();
const PlainScalarOp& mul_scalar_op();
const PlainScalarOp_& mul__scalar_op();
const PlainOp& div_op();
const PlainOp_& div__op();
const PlainScalarOp& div_scalar_op();
const PlainScalarOp_& div__scalar_op();

}  // namespace gb
