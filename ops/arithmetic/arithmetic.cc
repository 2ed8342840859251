// Schemas and entry points: every one is a single call through the operator's handle.
#include "ops/arithmetic/arithmetic.h"

#include "dispatcher/library.h"

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
Tensor& Tensor::add_(const Scalar& other, const Scalar& alpha) const {
  GB_RETURN_CALL(add__scalar_op(), const_cast<Tensor&>(*this), other, alpha);
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
Tensor& Tensor::sub_(const Scalar& other, const Scalar& alpha) const {
  GB_RETURN_CALL(sub__scalar_op(), const_cast<Tensor&>(*this), other, alpha);
}

Tensor mul(const Tensor& self, const Tensor& other) { GB_RETURN_CALL(mul_op(), self, other); }
Tensor mul(const Tensor& self, const Scalar& other) { GB_RETURN_CALL(mul_scalar_op(), self, other); }
Tensor Tensor::mul(const Tensor& other) const { GB_RETURN_CALL(mul_op(), *this, other); }
Tensor Tensor::mul(const Scalar& other) const { GB_RETURN_CALL(mul_scalar_op(), *this, other); }
Tensor& Tensor::mul_(const Tensor& other) const { GB_RETURN_CALL(mul__op(), const_cast<Tensor&>(*this), other); }
Tensor& Tensor::mul_(const Scalar& other) const {
  GB_RETURN_CALL(mul__scalar_op(), const_cast<Tensor&>(*this), other);
}

Tensor div(const Tensor& self, const Tensor& other) { GB_RETURN_CALL(div_op(), self, other); }
Tensor div(const Tensor& self, const Scalar& other) { GB_RETURN_CALL(div_scalar_op(), self, other); }
Tensor Tensor::div(const Tensor& other) const { GB_RETURN_CALL(div_op(), *this, other); }
Tensor Tensor::div(const Scalar& other) const { GB_RETURN_CALL(div_scalar_op(), *this, other); }
Tensor& Tensor::div_(const Tensor& other) const { GB_RETURN_CALL(div__op(), const_cast<Tensor&>(*this), other); }
Tensor& Tensor::div_(const Scalar& other) const {
  GB_RETURN_CALL(div__scalar_op(), const_cast<Tensor&>(*this), other);
}

}  // namespace gb
