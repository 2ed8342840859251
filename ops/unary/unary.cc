// Schemas, the CPU and Meta kernels, entry points.
#include "ops/unary/unary.h"

#include "dispatcher/library.h"
#include "ops/common/operator.h"
#include "ops/common/unary_op.h"

namespace gb {
namespace {

Tensor neg_cpu(const Tensor& self) { return unary_op(UnaryOp::Neg, self, &unary_kernel_cpu); }
Tensor exp_cpu(const Tensor& self) { return unary_op(UnaryOp::Exp, self, &unary_kernel_cpu); }
Tensor log_cpu(const Tensor& self) { return unary_op(UnaryOp::Log, self, &unary_kernel_cpu); }

Tensor neg_meta(const Tensor& self) { return unary_op(UnaryOp::Neg, self, nullptr); }
Tensor exp_meta(const Tensor& self) { return unary_op(UnaryOp::Exp, self, nullptr); }
Tensor log_meta(const Tensor& self) { return unary_op(UnaryOp::Log, self, nullptr); }

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("neg(Tensor self) -> Tensor");
  m.def("exp(Tensor self) -> Tensor");
  m.def("log(Tensor self) -> Tensor");
}
GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("neg", GB_FN(neg_cpu));
  m.impl("exp", GB_FN(exp_cpu));
  m.impl("log", GB_FN(log_cpu));
}
GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("neg", GB_FN(neg_meta));
  m.impl("exp", GB_FN(exp_meta));
  m.impl("log", GB_FN(log_meta));
}

const UnaryHandle& neg_op() {
  static const UnaryHandle op = find_operator<UnaryHandle>("aten::neg", "");
  return op;
}
Tensor neg(const Tensor& self) { GB_RETURN_CALL(neg_op(), self); }
Tensor Tensor::neg() const { GB_RETURN_CALL(neg_op(), *this); }

const UnaryHandle& exp_op() {
  static const UnaryHandle op = find_operator<UnaryHandle>("aten::exp", "");
  return op;
}
Tensor exp(const Tensor& self) { GB_RETURN_CALL(exp_op(), self); }
Tensor Tensor::exp() const { GB_RETURN_CALL(exp_op(), *this); }

const UnaryHandle& log_op() {
  static const UnaryHandle op = find_operator<UnaryHandle>("aten::log", "");
  return op;
}
Tensor log(const Tensor& self) { GB_RETURN_CALL(log_op(), self); }
Tensor Tensor::log() const { GB_RETURN_CALL(log_op(), *this); }

}  // namespace gb
