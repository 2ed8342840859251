// The CPU kernels, and the .Scalar overloads that every backend shares.
#include "dispatcher/library.h"
#include "ops/common/binary_op.h"
#include "ops/common/type_promotion.h"

namespace gb {
namespace {

Tensor add_cpu(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return binary_op_cpu(BinaryOp::Add, self, other, alpha);
}
Tensor& add__cpu(Tensor& self, const Tensor& other, const Scalar& alpha) {
  return binary_op_cpu_(BinaryOp::Add, self, other, alpha);
}
Tensor sub_cpu(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return binary_op_cpu(BinaryOp::Sub, self, other, alpha);
}
Tensor& sub__cpu(Tensor& self, const Tensor& other, const Scalar& alpha) {
  return binary_op_cpu_(BinaryOp::Sub, self, other, alpha);
}
Tensor mul_cpu(const Tensor& self, const Tensor& other) {
  return binary_op_cpu(BinaryOp::Mul, self, other, 1);
}
Tensor& mul__cpu(Tensor& self, const Tensor& other) { return binary_op_cpu_(BinaryOp::Mul, self, other, 1); }
Tensor div_cpu(const Tensor& self, const Tensor& other) {
  return binary_op_cpu(BinaryOp::Div, self, other, 1);
}
Tensor& div__cpu(Tensor& self, const Tensor& other) { return binary_op_cpu_(BinaryOp::Div, self, other, 1); }

// The number as a wrapped 0-dim tensor: then promotion treats it as a number, and one kernel serves both.
Tensor add_scalar(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  return self.add(wrapped_scalar_tensor(other), alpha);
}
Tensor& add__scalar(Tensor& self, const Scalar& other, const Scalar& alpha) {
  return self.add_(wrapped_scalar_tensor(other), alpha);
}
Tensor sub_scalar(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  return self.sub(wrapped_scalar_tensor(other), alpha);
}
Tensor& sub__scalar(Tensor& self, const Scalar& other, const Scalar& alpha) {
  return self.sub_(wrapped_scalar_tensor(other), alpha);
}
Tensor mul_scalar(const Tensor& self, const Scalar& other) { return self.mul(wrapped_scalar_tensor(other)); }
Tensor& mul__scalar(Tensor& self, const Scalar& other) { return self.mul_(wrapped_scalar_tensor(other)); }
Tensor div_scalar(const Tensor& self, const Scalar& other) { return self.div(wrapped_scalar_tensor(other)); }
Tensor& div__scalar(Tensor& self, const Scalar& other) { return self.div_(wrapped_scalar_tensor(other)); }

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("add.Tensor", GB_FN(add_cpu));
  m.impl("add_.Tensor", GB_FN(add__cpu));
  m.impl("sub.Tensor", GB_FN(sub_cpu));
  m.impl("sub_.Tensor", GB_FN(sub__cpu));
  m.impl("mul.Tensor", GB_FN(mul_cpu));
  m.impl("mul_.Tensor", GB_FN(mul__cpu));
  m.impl("div.Tensor", GB_FN(div_cpu));
  m.impl("div_.Tensor", GB_FN(div__cpu));
}

GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("add.Scalar", GB_FN(add_scalar));
  m.impl("add_.Scalar", GB_FN(add__scalar));
  m.impl("sub.Scalar", GB_FN(sub_scalar));
  m.impl("sub_.Scalar", GB_FN(sub__scalar));
  m.impl("mul.Scalar", GB_FN(mul_scalar));
  m.impl("mul_.Scalar", GB_FN(mul__scalar));
  m.impl("div.Scalar", GB_FN(div_scalar));
  m.impl("div_.Scalar", GB_FN(div__scalar));
}

}  // namespace gb
