// Schemas, the CPU and Meta kernels (ops/common/unary_op.h), entry points.
#include "ops/unary/unary.h"

#include "dispatcher/library.h"
#include "ops/common/unary_op.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("neg(Tensor self) -> Tensor");
  m.def("neg_(Tensor(a!) self) -> Tensor(a!)");
  m.def("exp(Tensor self) -> Tensor");
  m.def("exp_(Tensor(a!) self) -> Tensor(a!)");
  m.def("log(Tensor self) -> Tensor");
  m.def("log_(Tensor(a!) self) -> Tensor(a!)");
}
GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("neg", GB_FN(unary_cpu<UnaryOp::Neg>));
  m.impl("neg_", GB_FN(unary_inplace_cpu<UnaryOp::Neg>));
  m.impl("exp", GB_FN(unary_cpu<UnaryOp::Exp>));
  m.impl("exp_", GB_FN(unary_inplace_cpu<UnaryOp::Exp>));
  m.impl("log", GB_FN(unary_cpu<UnaryOp::Log>));
  m.impl("log_", GB_FN(unary_inplace_cpu<UnaryOp::Log>));
}
GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("neg", GB_FN(unary_meta<UnaryOp::Neg>));
  m.impl("neg_", GB_FN(unary_inplace_meta<UnaryOp::Neg>));
  m.impl("exp", GB_FN(unary_meta<UnaryOp::Exp>));
  m.impl("exp_", GB_FN(unary_inplace_meta<UnaryOp::Exp>));
  m.impl("log", GB_FN(unary_meta<UnaryOp::Log>));
  m.impl("log_", GB_FN(unary_inplace_meta<UnaryOp::Log>));
}

Tensor neg(const Tensor& self) { GB_RETURN_CALL(neg_op(), self); }
Tensor& neg_(Tensor& self) { GB_RETURN_CALL(neg__op(), self); }
Tensor exp(const Tensor& self) { GB_RETURN_CALL(exp_op(), self); }
Tensor& exp_(Tensor& self) { GB_RETURN_CALL(exp__op(), self); }
Tensor log(const Tensor& self) { GB_RETURN_CALL(log_op(), self); }
Tensor& log_(Tensor& self) { GB_RETURN_CALL(log__op(), self); }

Tensor Tensor::neg() const { GB_RETURN_CALL(neg_op(), *this); }
Tensor& Tensor::neg_() const { GB_RETURN_CALL(neg__op(), const_cast<Tensor&>(*this)); }
Tensor Tensor::exp() const { GB_RETURN_CALL(exp_op(), *this); }
Tensor& Tensor::exp_() const { GB_RETURN_CALL(exp__op(), const_cast<Tensor&>(*this)); }
Tensor Tensor::log() const { GB_RETURN_CALL(log_op(), *this); }
Tensor& Tensor::log_() const { GB_RETURN_CALL(log__op(), const_cast<Tensor&>(*this)); }

}  // namespace gb
