// Schemas, the CPU and Meta kernels (ops/common/unary_op.h), entry points.
#include "ops/unary/unary.h"

#include "dispatcher/library.h"
#include "ops/common/unary_op.h"

namespace gb {
namespace {

Tensor square_of_parts(const Tensor& self) { return self.pow(2); }
Tensor& square_of_parts_(Tensor& self) { return self.pow_(2); }

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("neg(Tensor self) -> Tensor");
  m.def("neg_(Tensor(a!) self) -> Tensor(a!)");
  m.def("exp(Tensor self) -> Tensor");
  m.def("exp_(Tensor(a!) self) -> Tensor(a!)");
  m.def("log(Tensor self) -> Tensor");
  m.def("log_(Tensor(a!) self) -> Tensor(a!)");
  m.def("sqrt(Tensor self) -> Tensor");
  m.def("sqrt_(Tensor(a!) self) -> Tensor(a!)");
  m.def("rsqrt(Tensor self) -> Tensor");
  m.def("rsqrt_(Tensor(a!) self) -> Tensor(a!)");
  m.def("reciprocal(Tensor self) -> Tensor");
  m.def("reciprocal_(Tensor(a!) self) -> Tensor(a!)");
  m.def("abs(Tensor self) -> Tensor");
  m.def("abs_(Tensor(a!) self) -> Tensor(a!)");
  m.def("sign(Tensor self) -> Tensor");
  m.def("sign_(Tensor(a!) self) -> Tensor(a!)");
  m.def("floor(Tensor self) -> Tensor");
  m.def("floor_(Tensor(a!) self) -> Tensor(a!)");
  m.def("sin(Tensor self) -> Tensor");
  m.def("sin_(Tensor(a!) self) -> Tensor(a!)");
  m.def("cos(Tensor self) -> Tensor");
  m.def("cos_(Tensor(a!) self) -> Tensor(a!)");
  m.def("square(Tensor self) -> Tensor");
  m.def("square_(Tensor(a!) self) -> Tensor(a!)");
}
GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("neg", GB_FN(unary_cpu<UnaryOp::Neg>));
  m.impl("neg_", GB_FN(unary_inplace_cpu<UnaryOp::Neg>));
  m.impl("exp", GB_FN(unary_cpu<UnaryOp::Exp>));
  m.impl("exp_", GB_FN(unary_inplace_cpu<UnaryOp::Exp>));
  m.impl("log", GB_FN(unary_cpu<UnaryOp::Log>));
  m.impl("log_", GB_FN(unary_inplace_cpu<UnaryOp::Log>));
  m.impl("sqrt", GB_FN(unary_cpu<UnaryOp::Sqrt>));
  m.impl("sqrt_", GB_FN(unary_inplace_cpu<UnaryOp::Sqrt>));
  m.impl("rsqrt", GB_FN(unary_cpu<UnaryOp::Rsqrt>));
  m.impl("rsqrt_", GB_FN(unary_inplace_cpu<UnaryOp::Rsqrt>));
  m.impl("reciprocal", GB_FN(unary_cpu<UnaryOp::Reciprocal>));
  m.impl("reciprocal_", GB_FN(unary_inplace_cpu<UnaryOp::Reciprocal>));
  m.impl("abs", GB_FN(unary_cpu<UnaryOp::Abs>));
  m.impl("abs_", GB_FN(unary_inplace_cpu<UnaryOp::Abs>));
  m.impl("sign", GB_FN(unary_cpu<UnaryOp::Sign>));
  m.impl("sign_", GB_FN(unary_inplace_cpu<UnaryOp::Sign>));
  m.impl("floor", GB_FN(unary_cpu<UnaryOp::Floor>));
  m.impl("floor_", GB_FN(unary_inplace_cpu<UnaryOp::Floor>));
  m.impl("sin", GB_FN(unary_cpu<UnaryOp::Sin>));
  m.impl("sin_", GB_FN(unary_inplace_cpu<UnaryOp::Sin>));
  m.impl("cos", GB_FN(unary_cpu<UnaryOp::Cos>));
  m.impl("cos_", GB_FN(unary_inplace_cpu<UnaryOp::Cos>));
}
GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("neg", GB_FN(unary_meta<UnaryOp::Neg>));
  m.impl("neg_", GB_FN(unary_inplace_meta<UnaryOp::Neg>));
  m.impl("exp", GB_FN(unary_meta<UnaryOp::Exp>));
  m.impl("exp_", GB_FN(unary_inplace_meta<UnaryOp::Exp>));
  m.impl("log", GB_FN(unary_meta<UnaryOp::Log>));
  m.impl("log_", GB_FN(unary_inplace_meta<UnaryOp::Log>));
  m.impl("sqrt", GB_FN(unary_meta<UnaryOp::Sqrt>));
  m.impl("sqrt_", GB_FN(unary_inplace_meta<UnaryOp::Sqrt>));
  m.impl("rsqrt", GB_FN(unary_meta<UnaryOp::Rsqrt>));
  m.impl("rsqrt_", GB_FN(unary_inplace_meta<UnaryOp::Rsqrt>));
  m.impl("reciprocal", GB_FN(unary_meta<UnaryOp::Reciprocal>));
  m.impl("reciprocal_", GB_FN(unary_inplace_meta<UnaryOp::Reciprocal>));
  m.impl("abs", GB_FN(unary_meta<UnaryOp::Abs>));
  m.impl("abs_", GB_FN(unary_inplace_meta<UnaryOp::Abs>));
  m.impl("sign", GB_FN(unary_meta<UnaryOp::Sign>));
  m.impl("sign_", GB_FN(unary_inplace_meta<UnaryOp::Sign>));
  m.impl("floor", GB_FN(unary_meta<UnaryOp::Floor>));
  m.impl("floor_", GB_FN(unary_inplace_meta<UnaryOp::Floor>));
  m.impl("sin", GB_FN(unary_meta<UnaryOp::Sin>));
  m.impl("sin_", GB_FN(unary_inplace_meta<UnaryOp::Sin>));
  m.impl("cos", GB_FN(unary_meta<UnaryOp::Cos>));
  m.impl("cos_", GB_FN(unary_inplace_meta<UnaryOp::Cos>));
}
GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) {
  m.impl("square", GB_FN(square_of_parts));
  m.impl("square_", GB_FN(square_of_parts_));
}

Tensor neg(const Tensor& self) { GB_RETURN_CALL(neg_op(), self); }
Tensor& neg_(Tensor& self) { GB_RETURN_CALL(neg__op(), self); }
Tensor Tensor::neg() const { GB_RETURN_CALL(neg_op(), *this); }
Tensor& Tensor::neg_() const { GB_RETURN_CALL(neg__op(), const_cast<Tensor&>(*this)); }

Tensor exp(const Tensor& self) { GB_RETURN_CALL(exp_op(), self); }
Tensor& exp_(Tensor& self) { GB_RETURN_CALL(exp__op(), self); }
Tensor Tensor::exp() const { GB_RETURN_CALL(exp_op(), *this); }
Tensor& Tensor::exp_() const { GB_RETURN_CALL(exp__op(), const_cast<Tensor&>(*this)); }

Tensor log(const Tensor& self) { GB_RETURN_CALL(log_op(), self); }
Tensor& log_(Tensor& self) { GB_RETURN_CALL(log__op(), self); }
Tensor Tensor::log() const { GB_RETURN_CALL(log_op(), *this); }
Tensor& Tensor::log_() const { GB_RETURN_CALL(log__op(), const_cast<Tensor&>(*this)); }

Tensor sqrt(const Tensor& self) { GB_RETURN_CALL(sqrt_op(), self); }
Tensor& sqrt_(Tensor& self) { GB_RETURN_CALL(sqrt__op(), self); }
Tensor Tensor::sqrt() const { GB_RETURN_CALL(sqrt_op(), *this); }
Tensor& Tensor::sqrt_() const { GB_RETURN_CALL(sqrt__op(), const_cast<Tensor&>(*this)); }

Tensor rsqrt(const Tensor& self) { GB_RETURN_CALL(rsqrt_op(), self); }
Tensor& rsqrt_(Tensor& self) { GB_RETURN_CALL(rsqrt__op(), self); }
Tensor Tensor::rsqrt() const { GB_RETURN_CALL(rsqrt_op(), *this); }
Tensor& Tensor::rsqrt_() const { GB_RETURN_CALL(rsqrt__op(), const_cast<Tensor&>(*this)); }

Tensor reciprocal(const Tensor& self) { GB_RETURN_CALL(reciprocal_op(), self); }
Tensor& reciprocal_(Tensor& self) { GB_RETURN_CALL(reciprocal__op(), self); }
Tensor Tensor::reciprocal() const { GB_RETURN_CALL(reciprocal_op(), *this); }
Tensor& Tensor::reciprocal_() const { GB_RETURN_CALL(reciprocal__op(), const_cast<Tensor&>(*this)); }

Tensor abs(const Tensor& self) { GB_RETURN_CALL(abs_op(), self); }
Tensor& abs_(Tensor& self) { GB_RETURN_CALL(abs__op(), self); }
Tensor Tensor::abs() const { GB_RETURN_CALL(abs_op(), *this); }
Tensor& Tensor::abs_() const { GB_RETURN_CALL(abs__op(), const_cast<Tensor&>(*this)); }

Tensor sign(const Tensor& self) { GB_RETURN_CALL(sign_op(), self); }
Tensor& sign_(Tensor& self) { GB_RETURN_CALL(sign__op(), self); }
Tensor Tensor::sign() const { GB_RETURN_CALL(sign_op(), *this); }
Tensor& Tensor::sign_() const { GB_RETURN_CALL(sign__op(), const_cast<Tensor&>(*this)); }

Tensor floor(const Tensor& self) { GB_RETURN_CALL(floor_op(), self); }
Tensor& floor_(Tensor& self) { GB_RETURN_CALL(floor__op(), self); }
Tensor Tensor::floor() const { GB_RETURN_CALL(floor_op(), *this); }
Tensor& Tensor::floor_() const { GB_RETURN_CALL(floor__op(), const_cast<Tensor&>(*this)); }

Tensor sin(const Tensor& self) { GB_RETURN_CALL(sin_op(), self); }
Tensor& sin_(Tensor& self) { GB_RETURN_CALL(sin__op(), self); }
Tensor Tensor::sin() const { GB_RETURN_CALL(sin_op(), *this); }
Tensor& Tensor::sin_() const { GB_RETURN_CALL(sin__op(), const_cast<Tensor&>(*this)); }

Tensor cos(const Tensor& self) { GB_RETURN_CALL(cos_op(), self); }
Tensor& cos_(Tensor& self) { GB_RETURN_CALL(cos__op(), self); }
Tensor Tensor::cos() const { GB_RETURN_CALL(cos_op(), *this); }
Tensor& Tensor::cos_() const { GB_RETURN_CALL(cos__op(), const_cast<Tensor&>(*this)); }

Tensor square(const Tensor& self) { GB_RETURN_CALL(square_op(), self); }
Tensor& square_(Tensor& self) { GB_RETURN_CALL(square__op(), self); }
Tensor Tensor::square() const { GB_RETURN_CALL(square_op(), *this); }
Tensor& Tensor::square_() const { GB_RETURN_CALL(square__op(), const_cast<Tensor&>(*this)); }

}  // namespace gb
