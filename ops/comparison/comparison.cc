// Schemas, kernels and entry points. Six operators, four overloads each, one path (ops/common/binary_op.h).
#include "ops/comparison/comparison.h"

#include "dispatcher/library.h"
#include "ops/common/binary_op.h"
#include "ops/common/type_promotion.h"

namespace gb {
namespace {

// The number as a wrapped 0-dim tensor: then promotion treats it as a number, and one kernel serves both.
template <auto* op>
Tensor with_number(const Tensor& self, const Scalar& other) {
  return op().call(self, wrapped_scalar_tensor(other));
}
template <auto* op>
Tensor& with_number_(Tensor& self, const Scalar& other) {
  return op().call(self, wrapped_scalar_tensor(other));
}

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("eq.Tensor(Tensor self, Tensor other) -> Tensor");
  m.def("eq.Scalar(Tensor self, Scalar other) -> Tensor");
  m.def("eq_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  m.def("eq_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
  m.def("ne.Tensor(Tensor self, Tensor other) -> Tensor");
  m.def("ne.Scalar(Tensor self, Scalar other) -> Tensor");
  m.def("ne_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  m.def("ne_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
  m.def("lt.Tensor(Tensor self, Tensor other) -> Tensor");
  m.def("lt.Scalar(Tensor self, Scalar other) -> Tensor");
  m.def("lt_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  m.def("lt_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
  m.def("le.Tensor(Tensor self, Tensor other) -> Tensor");
  m.def("le.Scalar(Tensor self, Scalar other) -> Tensor");
  m.def("le_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  m.def("le_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
  m.def("gt.Tensor(Tensor self, Tensor other) -> Tensor");
  m.def("gt.Scalar(Tensor self, Scalar other) -> Tensor");
  m.def("gt_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  m.def("gt_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
  m.def("ge.Tensor(Tensor self, Tensor other) -> Tensor");
  m.def("ge.Scalar(Tensor self, Scalar other) -> Tensor");
  m.def("ge_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  m.def("ge_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
}
GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("eq.Tensor", GB_FN(binary_cpu<BinaryOp::Eq>));
  m.impl("eq_.Tensor", GB_FN(binary_inplace_cpu<BinaryOp::Eq>));
  m.impl("ne.Tensor", GB_FN(binary_cpu<BinaryOp::Ne>));
  m.impl("ne_.Tensor", GB_FN(binary_inplace_cpu<BinaryOp::Ne>));
  m.impl("lt.Tensor", GB_FN(binary_cpu<BinaryOp::Lt>));
  m.impl("lt_.Tensor", GB_FN(binary_inplace_cpu<BinaryOp::Lt>));
  m.impl("le.Tensor", GB_FN(binary_cpu<BinaryOp::Le>));
  m.impl("le_.Tensor", GB_FN(binary_inplace_cpu<BinaryOp::Le>));
  m.impl("gt.Tensor", GB_FN(binary_cpu<BinaryOp::Gt>));
  m.impl("gt_.Tensor", GB_FN(binary_inplace_cpu<BinaryOp::Gt>));
  m.impl("ge.Tensor", GB_FN(binary_cpu<BinaryOp::Ge>));
  m.impl("ge_.Tensor", GB_FN(binary_inplace_cpu<BinaryOp::Ge>));
}
GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("eq.Tensor", GB_FN(binary_meta<BinaryOp::Eq>));
  m.impl("eq_.Tensor", GB_FN(binary_inplace_meta<BinaryOp::Eq>));
  m.impl("ne.Tensor", GB_FN(binary_meta<BinaryOp::Ne>));
  m.impl("ne_.Tensor", GB_FN(binary_inplace_meta<BinaryOp::Ne>));
  m.impl("lt.Tensor", GB_FN(binary_meta<BinaryOp::Lt>));
  m.impl("lt_.Tensor", GB_FN(binary_inplace_meta<BinaryOp::Lt>));
  m.impl("le.Tensor", GB_FN(binary_meta<BinaryOp::Le>));
  m.impl("le_.Tensor", GB_FN(binary_inplace_meta<BinaryOp::Le>));
  m.impl("gt.Tensor", GB_FN(binary_meta<BinaryOp::Gt>));
  m.impl("gt_.Tensor", GB_FN(binary_inplace_meta<BinaryOp::Gt>));
  m.impl("ge.Tensor", GB_FN(binary_meta<BinaryOp::Ge>));
  m.impl("ge_.Tensor", GB_FN(binary_inplace_meta<BinaryOp::Ge>));
}
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("eq.Scalar", GB_FN(with_number<&eq_op>));
  m.impl("eq_.Scalar", GB_FN(with_number_<&eq__op>));
  m.impl("ne.Scalar", GB_FN(with_number<&ne_op>));
  m.impl("ne_.Scalar", GB_FN(with_number_<&ne__op>));
  m.impl("lt.Scalar", GB_FN(with_number<&lt_op>));
  m.impl("lt_.Scalar", GB_FN(with_number_<&lt__op>));
  m.impl("le.Scalar", GB_FN(with_number<&le_op>));
  m.impl("le_.Scalar", GB_FN(with_number_<&le__op>));
  m.impl("gt.Scalar", GB_FN(with_number<&gt_op>));
  m.impl("gt_.Scalar", GB_FN(with_number_<&gt__op>));
  m.impl("ge.Scalar", GB_FN(with_number<&ge_op>));
  m.impl("ge_.Scalar", GB_FN(with_number_<&ge__op>));
}

Tensor eq(const Tensor& self, const Tensor& other) { GB_RETURN_CALL(eq_op(), self, other); }
Tensor eq(const Tensor& self, const Scalar& other) { GB_RETURN_CALL(eq_scalar_op(), self, other); }
Tensor Tensor::eq(const Tensor& other) const { GB_RETURN_CALL(eq_op(), *this, other); }
Tensor Tensor::eq(const Scalar& other) const { GB_RETURN_CALL(eq_scalar_op(), *this, other); }
Tensor& Tensor::eq_(const Tensor& other) const {
  GB_RETURN_CALL(eq__op(), const_cast<Tensor&>(*this), other);
}
Tensor& Tensor::eq_(const Scalar& other) const {
  GB_RETURN_CALL(eq__scalar_op(), const_cast<Tensor&>(*this), other);
}

Tensor ne(const Tensor& self, const Tensor& other) { GB_RETURN_CALL(ne_op(), self, other); }
Tensor ne(const Tensor& self, const Scalar& other) { GB_RETURN_CALL(ne_scalar_op(), self, other); }
Tensor Tensor::ne(const Tensor& other) const { GB_RETURN_CALL(ne_op(), *this, other); }
Tensor Tensor::ne(const Scalar& other) const { GB_RETURN_CALL(ne_scalar_op(), *this, other); }
Tensor& Tensor::ne_(const Tensor& other) const {
  GB_RETURN_CALL(ne__op(), const_cast<Tensor&>(*this), other);
}
Tensor& Tensor::ne_(const Scalar& other) const {
  GB_RETURN_CALL(ne__scalar_op(), const_cast<Tensor&>(*this), other);
}

Tensor lt(const Tensor& self, const Tensor& other) { GB_RETURN_CALL(lt_op(), self, other); }
Tensor lt(const Tensor& self, const Scalar& other) { GB_RETURN_CALL(lt_scalar_op(), self, other); }
Tensor Tensor::lt(const Tensor& other) const { GB_RETURN_CALL(lt_op(), *this, other); }
Tensor Tensor::lt(const Scalar& other) const { GB_RETURN_CALL(lt_scalar_op(), *this, other); }
Tensor& Tensor::lt_(const Tensor& other) const {
  GB_RETURN_CALL(lt__op(), const_cast<Tensor&>(*this), other);
}
Tensor& Tensor::lt_(const Scalar& other) const {
  GB_RETURN_CALL(lt__scalar_op(), const_cast<Tensor&>(*this), other);
}

Tensor le(const Tensor& self, const Tensor& other) { GB_RETURN_CALL(le_op(), self, other); }
Tensor le(const Tensor& self, const Scalar& other) { GB_RETURN_CALL(le_scalar_op(), self, other); }
Tensor Tensor::le(const Tensor& other) const { GB_RETURN_CALL(le_op(), *this, other); }
Tensor Tensor::le(const Scalar& other) const { GB_RETURN_CALL(le_scalar_op(), *this, other); }
Tensor& Tensor::le_(const Tensor& other) const {
  GB_RETURN_CALL(le__op(), const_cast<Tensor&>(*this), other);
}
Tensor& Tensor::le_(const Scalar& other) const {
  GB_RETURN_CALL(le__scalar_op(), const_cast<Tensor&>(*this), other);
}

Tensor gt(const Tensor& self, const Tensor& other) { GB_RETURN_CALL(gt_op(), self, other); }
Tensor gt(const Tensor& self, const Scalar& other) { GB_RETURN_CALL(gt_scalar_op(), self, other); }
Tensor Tensor::gt(const Tensor& other) const { GB_RETURN_CALL(gt_op(), *this, other); }
Tensor Tensor::gt(const Scalar& other) const { GB_RETURN_CALL(gt_scalar_op(), *this, other); }
Tensor& Tensor::gt_(const Tensor& other) const {
  GB_RETURN_CALL(gt__op(), const_cast<Tensor&>(*this), other);
}
Tensor& Tensor::gt_(const Scalar& other) const {
  GB_RETURN_CALL(gt__scalar_op(), const_cast<Tensor&>(*this), other);
}

Tensor ge(const Tensor& self, const Tensor& other) { GB_RETURN_CALL(ge_op(), self, other); }
Tensor ge(const Tensor& self, const Scalar& other) { GB_RETURN_CALL(ge_scalar_op(), self, other); }
Tensor Tensor::ge(const Tensor& other) const { GB_RETURN_CALL(ge_op(), *this, other); }
Tensor Tensor::ge(const Scalar& other) const { GB_RETURN_CALL(ge_scalar_op(), *this, other); }
Tensor& Tensor::ge_(const Tensor& other) const {
  GB_RETURN_CALL(ge__op(), const_cast<Tensor&>(*this), other);
}
Tensor& Tensor::ge_(const Scalar& other) const {
  GB_RETURN_CALL(ge__scalar_op(), const_cast<Tensor&>(*this), other);
}

}  // namespace gb
