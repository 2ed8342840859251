// Schemas, kernels and entry points. Six operators, two overloads each, one path (ops/common/binary_op.h):
// the templates below differ in the BinaryOp alone.
#include "ops/comparison/comparison.h"

#include "dispatcher/library.h"
#include "ops/common/binary_op.h"
#include "ops/common/operator.h"
#include "ops/common/type_promotion.h"

namespace gb {
namespace {

template <BinaryOp op>
Tensor compare_cpu(const Tensor& self, const Tensor& other) {
  return binary_op_cpu(op, self, other, 1);
}

template <BinaryOp op>
Tensor compare_meta(const Tensor& self, const Tensor& other) {
  return binary_op(op, self, other, 1, nullptr);
}

std::string qualified(BinaryOp op) { return std::string("aten::") + toString(op); }

using TensorOp = TypedOperatorHandle<Tensor(const Tensor&, const Tensor&)>;
using ScalarOp = TypedOperatorHandle<Tensor(const Tensor&, const Scalar&)>;

template <BinaryOp op>
Tensor call(const Tensor& self, const Tensor& other) {
  static const TensorOp handle = find_operator<TensorOp>(qualified(op).c_str(), "Tensor");
  return handle.call(self, other);
}
template <BinaryOp op>
Tensor call(const Tensor& self, const Scalar& other) {
  static const ScalarOp handle = find_operator<ScalarOp>(qualified(op).c_str(), "Scalar");
  return handle.call(self, other);
}

template <BinaryOp op>
Tensor compare_scalar(const Tensor& self, const Scalar& other) {
  return call<op>(self, wrapped_scalar_tensor(other));
}

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("eq.Tensor(Tensor self, Tensor other) -> Tensor");
  m.def("eq.Scalar(Tensor self, Scalar other) -> Tensor");
  m.def("ne.Tensor(Tensor self, Tensor other) -> Tensor");
  m.def("ne.Scalar(Tensor self, Scalar other) -> Tensor");
  m.def("lt.Tensor(Tensor self, Tensor other) -> Tensor");
  m.def("lt.Scalar(Tensor self, Scalar other) -> Tensor");
  m.def("le.Tensor(Tensor self, Tensor other) -> Tensor");
  m.def("le.Scalar(Tensor self, Scalar other) -> Tensor");
  m.def("gt.Tensor(Tensor self, Tensor other) -> Tensor");
  m.def("gt.Scalar(Tensor self, Scalar other) -> Tensor");
  m.def("ge.Tensor(Tensor self, Tensor other) -> Tensor");
  m.def("ge.Scalar(Tensor self, Scalar other) -> Tensor");
}
GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("eq.Tensor", GB_FN(compare_cpu<BinaryOp::Eq>));
  m.impl("ne.Tensor", GB_FN(compare_cpu<BinaryOp::Ne>));
  m.impl("lt.Tensor", GB_FN(compare_cpu<BinaryOp::Lt>));
  m.impl("le.Tensor", GB_FN(compare_cpu<BinaryOp::Le>));
  m.impl("gt.Tensor", GB_FN(compare_cpu<BinaryOp::Gt>));
  m.impl("ge.Tensor", GB_FN(compare_cpu<BinaryOp::Ge>));
}
GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("eq.Tensor", GB_FN(compare_meta<BinaryOp::Eq>));
  m.impl("ne.Tensor", GB_FN(compare_meta<BinaryOp::Ne>));
  m.impl("lt.Tensor", GB_FN(compare_meta<BinaryOp::Lt>));
  m.impl("le.Tensor", GB_FN(compare_meta<BinaryOp::Le>));
  m.impl("gt.Tensor", GB_FN(compare_meta<BinaryOp::Gt>));
  m.impl("ge.Tensor", GB_FN(compare_meta<BinaryOp::Ge>));
}
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("eq.Scalar", GB_FN(compare_scalar<BinaryOp::Eq>));
  m.impl("ne.Scalar", GB_FN(compare_scalar<BinaryOp::Ne>));
  m.impl("lt.Scalar", GB_FN(compare_scalar<BinaryOp::Lt>));
  m.impl("le.Scalar", GB_FN(compare_scalar<BinaryOp::Le>));
  m.impl("gt.Scalar", GB_FN(compare_scalar<BinaryOp::Gt>));
  m.impl("ge.Scalar", GB_FN(compare_scalar<BinaryOp::Ge>));
}
GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("eq.Tensor", CppFunction::makeFallthrough());
  m.impl("eq.Scalar", CppFunction::makeFallthrough());
  m.impl("ne.Tensor", CppFunction::makeFallthrough());
  m.impl("ne.Scalar", CppFunction::makeFallthrough());
  m.impl("lt.Tensor", CppFunction::makeFallthrough());
  m.impl("lt.Scalar", CppFunction::makeFallthrough());
  m.impl("le.Tensor", CppFunction::makeFallthrough());
  m.impl("le.Scalar", CppFunction::makeFallthrough());
  m.impl("gt.Tensor", CppFunction::makeFallthrough());
  m.impl("gt.Scalar", CppFunction::makeFallthrough());
  m.impl("ge.Tensor", CppFunction::makeFallthrough());
  m.impl("ge.Scalar", CppFunction::makeFallthrough());
}

Tensor eq(const Tensor& self, const Tensor& other) { return call<BinaryOp::Eq>(self, other); }
Tensor eq(const Tensor& self, const Scalar& other) { return call<BinaryOp::Eq>(self, other); }
Tensor ne(const Tensor& self, const Tensor& other) { return call<BinaryOp::Ne>(self, other); }
Tensor ne(const Tensor& self, const Scalar& other) { return call<BinaryOp::Ne>(self, other); }
Tensor lt(const Tensor& self, const Tensor& other) { return call<BinaryOp::Lt>(self, other); }
Tensor lt(const Tensor& self, const Scalar& other) { return call<BinaryOp::Lt>(self, other); }
Tensor le(const Tensor& self, const Tensor& other) { return call<BinaryOp::Le>(self, other); }
Tensor le(const Tensor& self, const Scalar& other) { return call<BinaryOp::Le>(self, other); }
Tensor gt(const Tensor& self, const Tensor& other) { return call<BinaryOp::Gt>(self, other); }
Tensor gt(const Tensor& self, const Scalar& other) { return call<BinaryOp::Gt>(self, other); }
Tensor ge(const Tensor& self, const Tensor& other) { return call<BinaryOp::Ge>(self, other); }
Tensor ge(const Tensor& self, const Scalar& other) { return call<BinaryOp::Ge>(self, other); }

Tensor Tensor::eq(const Tensor& other) const { return gb::eq(*this, other); }
Tensor Tensor::eq(const Scalar& other) const { return gb::eq(*this, other); }
Tensor Tensor::ne(const Tensor& other) const { return gb::ne(*this, other); }
Tensor Tensor::ne(const Scalar& other) const { return gb::ne(*this, other); }

}  // namespace gb
