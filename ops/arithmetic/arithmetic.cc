// Schemas and entry points: every one is a single call through the operator's handle.
#include "ops/arithmetic/arithmetic.h"

#include "dispatcher/library.h"
#include "ops/common/operator.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  m.def("add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
  m.def("add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor");
  m.def("add_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)");
  m.def("sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  m.def("sub_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
  m.def("sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor");
  m.def("sub_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)");
  m.def("mul.Tensor(Tensor self, Tensor other) -> Tensor");
  m.def("mul_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  m.def("mul.Scalar(Tensor self, Scalar other) -> Tensor");
  m.def("mul_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
  m.def("div.Tensor(Tensor self, Tensor other) -> Tensor");
  m.def("div_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  m.def("div.Scalar(Tensor self, Scalar other) -> Tensor");
  m.def("div_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
}

const ScaledOp& add_op() {
  static const ScaledOp op = find_operator<ScaledOp>("aten::add", "Tensor");
  return op;
}
const ScaledOp_& add__op() {
  static const ScaledOp_ op = find_operator<ScaledOp_>("aten::add_", "Tensor");
  return op;
}
const ScaledScalarOp& add_scalar_op() {
  static const ScaledScalarOp op = find_operator<ScaledScalarOp>("aten::add", "Scalar");
  return op;
}
const ScaledScalarOp_& add__scalar_op() {
  static const ScaledScalarOp_ op = find_operator<ScaledScalarOp_>("aten::add_", "Scalar");
  return op;
}

const ScaledOp& sub_op() {
  static const ScaledOp op = find_operator<ScaledOp>("aten::sub", "Tensor");
  return op;
}
const ScaledOp_& sub__op() {
  static const ScaledOp_ op = find_operator<ScaledOp_>("aten::sub_", "Tensor");
  return op;
}
const ScaledScalarOp& sub_scalar_op() {
  static const ScaledScalarOp op = find_operator<ScaledScalarOp>("aten::sub", "Scalar");
  return op;
}
const ScaledScalarOp_& sub__scalar_op() {
  static const ScaledScalarOp_ op = find_operator<ScaledScalarOp_>("aten::sub_", "Scalar");
  return op;
}

const PlainOp& mul_op() {
  static const PlainOp op = find_operator<PlainOp>("aten::mul", "Tensor");
  return op;
}
const PlainOp_& mul__op() {
  static const PlainOp_ op = find_operator<PlainOp_>("aten::mul_", "Tensor");
  return op;
}
const PlainScalarOp& mul_scalar_op() {
  static const PlainScalarOp op = find_operator<PlainScalarOp>("aten::mul", "Scalar");
  return op;
}
const PlainScalarOp_& mul__scalar_op() {
  static const PlainScalarOp_ op = find_operator<PlainScalarOp_>("aten::mul_", "Scalar");
  return op;
}

const PlainOp& div_op() {
  static const PlainOp op = find_operator<PlainOp>("aten::div", "Tensor");
  return op;
}
const PlainOp_& div__op() {
  static const PlainOp_ op = find_operator<PlainOp_>("aten::div_", "Tensor");
  return op;
}
const PlainScalarOp& div_scalar_op() {
  static const PlainScalarOp op = find_operator<PlainScalarOp>("aten::div", "Scalar");
  return op;
}
const PlainScalarOp_& div__scalar_op() {
  static const PlainScalarOp_ op = find_operator<PlainScalarOp_>("aten::div_", "Scalar");
  return op;
}

Tensor add(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  GB_RETURN_CALL(add_op(), self, other, alpha);
}
Tensor add(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  GB_RETURN_CALL(add_scalar_op(), self, other, alpha);
}
Tensor Tensor::add(const Tensor& other, const Scalar& alpha) const {
  GB_RETURN_CALL(add_op(), *this, other, alpha);
}
Tensor Tensor::add(const Scalar& other, const Scalar& alpha) const {
  GB_RETURN_CALL(add_scalar_op(), *this, other, alpha);
}
Tensor& Tensor::add_(const Tensor& other, const Scalar& alpha) const {
  GB_RETURN_CALL(add__op(), const_cast<Tensor&>(*this), other, alpha);
}

Tensor sub(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  GB_RETURN_CALL(sub_op(), self, other, alpha);
}
Tensor sub(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  GB_RETURN_CALL(sub_scalar_op(), self, other, alpha);
}
Tensor Tensor::sub(const Tensor& other, const Scalar& alpha) const {
  GB_RETURN_CALL(sub_op(), *this, other, alpha);
}
Tensor Tensor::sub(const Scalar& other, const Scalar& alpha) const {
  GB_RETURN_CALL(sub_scalar_op(), *this, other, alpha);
}
Tensor& Tensor::sub_(const Tensor& other, const Scalar& alpha) const {
  GB_RETURN_CALL(sub__op(), const_cast<Tensor&>(*this), other, alpha);
}

Tensor mul(const Tensor& self, const Tensor& other) { GB_RETURN_CALL(mul_op(), self, other); }
Tensor mul(const Tensor& self, const Scalar& other) { GB_RETURN_CALL(mul_scalar_op(), self, other); }
Tensor Tensor::mul(const Tensor& other) const { GB_RETURN_CALL(mul_op(), *this, other); }
Tensor Tensor::mul(const Scalar& other) const { GB_RETURN_CALL(mul_scalar_op(), *this, other); }
Tensor& Tensor::mul_(const Tensor& other) const { GB_RETURN_CALL(mul__op(), const_cast<Tensor&>(*this), other); }

Tensor div(const Tensor& self, const Tensor& other) { GB_RETURN_CALL(div_op(), self, other); }
Tensor div(const Tensor& self, const Scalar& other) { GB_RETURN_CALL(div_scalar_op(), self, other); }
Tensor Tensor::div(const Tensor& other) const { GB_RETURN_CALL(div_op(), *this, other); }
Tensor Tensor::div(const Scalar& other) const { GB_RETURN_CALL(div_scalar_op(), *this, other); }
Tensor& Tensor::div_(const Tensor& other) const { GB_RETURN_CALL(div__op(), const_cast<Tensor&>(*this), other); }

}  // namespace gb
