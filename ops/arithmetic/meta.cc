// The Meta kernels: sizes, strides, dtype and every check of the real ones, no arithmetic.
#include "dispatcher/library.h"
#include "ops/common/binary_op.h"

namespace gb {
namespace {

Tensor add_meta(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return binary_op(BinaryOp::Add, self, other, alpha, nullptr);
}
Tensor& add__meta(Tensor& self, const Tensor& other, const Scalar& alpha) {
  return binary_op_(BinaryOp::Add, self, other, alpha, nullptr);
}
Tensor sub_meta(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return binary_op(BinaryOp::Sub, self, other, alpha, nullptr);
}
Tensor& sub__meta(Tensor& self, const Tensor& other, const Scalar& alpha) {
  return binary_op_(BinaryOp::Sub, self, other, alpha, nullptr);
}
Tensor mul_meta(const Tensor& self, const Tensor& other) {
  return binary_op(BinaryOp::Mul, self, other, 1, nullptr);
}
Tensor& mul__meta(Tensor& self, const Tensor& other) {
  return binary_op_(BinaryOp::Mul, self, other, 1, nullptr);
}
Tensor div_meta(const Tensor& self, const Tensor& other) {
  return binary_op(BinaryOp::Div, self, other, 1, nullptr);
}
Tensor& div__meta(Tensor& self, const Tensor& other) {
  return binary_op_(BinaryOp::Div, self, other, 1, nullptr);
}

}  // namespace

GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("add.Tensor", GB_FN(add_meta));
  m.impl("add_.Tensor", GB_FN(add__meta));
  m.impl("sub.Tensor", GB_FN(sub_meta));
  m.impl("sub_.Tensor", GB_FN(sub__meta));
  m.impl("mul.Tensor", GB_FN(mul_meta));
  m.impl("mul_.Tensor", GB_FN(mul__meta));
  m.impl("div.Tensor", GB_FN(div_meta));
  m.impl("div_.Tensor", GB_FN(div__meta));
}

}  // namespace gb
