// maximum, minimum and the clamps: schemas, kernels, entry points. A clamp is a maximum and a minimum, at
// most one of which is left out; what its dtypes and sizes decide is checked before anything is written.
#include "dispatcher/library.h"
#include "ops/common/binary_op.h"
#include "ops/common/checks.h"
#include "ops/common/geometry.h"
#include "ops/common/type_promotion.h"
#include "ops/pointwise/kernels.h"
#include "ops/pointwise/pointwise.h"

namespace gb {
namespace {

void check_bounds(bool has_min, bool has_max) {
  GB_CHECK_OR_THROW(
      has_min || has_max, Error, .what = "clamp: At least one of 'min' or 'max' must not be None",
      .cause = "a clamp without a bound", .repair = "give min, max or both", .chapter = chapters::kTensors);
}

Tensor clamp_kernel(const Tensor& self, OptionalTensor min, OptionalTensor max) {
  check_bounds(min.has_value(), max.has_value());
  if (!min) return minimum_op().call(self, *max);
  const Tensor at_least = maximum_op().call(self, *min);
  return max ? minimum_op().call(at_least, *max) : at_least;
}
}  // namespace

std::optional<Tensor> wrapped_or_none(OptionalScalar number) {
  if (!number) return std::nullopt;
  return wrapped_scalar_tensor(*number);
}

Tensor& clamp_by_(BinaryKernel* kernel, Tensor& self, OptionalTensor min, OptionalTensor max) {
  check_bounds(min.has_value(), max.has_value());
  check_defined(self, "clamp_", "self");
  for (const std::optional<Tensor>* bound : {&min, &max}) {
    if (!*bound) continue;
    check_can_cast(result_type(self, **bound), self.scalar_type(), "clamp_");
    check_broadcasts_into((*bound)->sizes(), self.sizes(), "clamp_");
  }
  if (min) binary_op_(BinaryOp::Maximum, self, *min, 1, kernel);
  if (max) binary_op_(BinaryOp::Minimum, self, *max, 1, kernel);
  return self;
}

namespace {

template <BinaryKernel* kernel>
Tensor& clamp__kernel(Tensor& self, OptionalTensor min, OptionalTensor max) {
  return clamp_by_(kernel, self, min, max);
}
Tensor clamp_scalar(const Tensor& self, OptionalScalar min, OptionalScalar max) {
  return clamp_kernel(self, wrapped_or_none(min), wrapped_or_none(max));
}
template <BinaryKernel* kernel>
Tensor& clamp__scalar(Tensor& self, OptionalScalar min, OptionalScalar max) {
  return clamp_by_(kernel, self, wrapped_or_none(min), wrapped_or_none(max));
}

// With one bound.
template <auto* op>
Tensor bounded(const Tensor& self, const Tensor& bound) {
  return op().call(self, bound);
}
template <auto* op>
Tensor bounded_by_number(const Tensor& self, const Scalar& bound) {
  return op().call(self, wrapped_scalar_tensor(bound));
}
template <auto* op>
Tensor& bounded_by_number_(Tensor& self, const Scalar& bound) {
  return op().call(self, wrapped_scalar_tensor(bound));
}

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("maximum(Tensor self, Tensor other) -> Tensor");
  m.def("minimum(Tensor self, Tensor other) -> Tensor");
  m.def("clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor");
  m.def("clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor");
  m.def("clamp_(Tensor(a!) self, Scalar? min=None, Scalar? max=None) -> Tensor(a!)");
  m.def("clamp_.Tensor(Tensor(a!) self, Tensor? min=None, Tensor? max=None) -> Tensor(a!)");
  m.def("clamp_min(Tensor self, Scalar min) -> Tensor");
  m.def("clamp_min.Tensor(Tensor self, Tensor min) -> Tensor");
  m.def("clamp_min_(Tensor(a!) self, Scalar min) -> Tensor(a!)");
  m.def("clamp_min_.Tensor(Tensor(a!) self, Tensor min) -> Tensor(a!)");
  m.def("clamp_max(Tensor self, Scalar max) -> Tensor");
  m.def("clamp_max.Tensor(Tensor self, Tensor max) -> Tensor");
  m.def("clamp_max_(Tensor(a!) self, Scalar max) -> Tensor(a!)");
  m.def("clamp_max_.Tensor(Tensor(a!) self, Tensor max) -> Tensor(a!)");
}
GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("maximum", GB_FN(binary_cpu<BinaryOp::Maximum>));
  m.impl("minimum", GB_FN(binary_cpu<BinaryOp::Minimum>));
  m.impl("clamp_.Tensor", GB_FN(clamp__kernel<&binary_kernel_cpu>));
  m.impl("clamp_", GB_FN(clamp__scalar<&binary_kernel_cpu>));
  m.impl("clamp_min_.Tensor", GB_FN(binary_inplace_cpu<BinaryOp::Maximum>));
  m.impl("clamp_max_.Tensor", GB_FN(binary_inplace_cpu<BinaryOp::Minimum>));
}
GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("maximum", GB_FN(binary_meta<BinaryOp::Maximum>));
  m.impl("minimum", GB_FN(binary_meta<BinaryOp::Minimum>));
  m.impl("clamp_.Tensor", GB_FN(clamp__kernel<nullptr>));
  m.impl("clamp_", GB_FN(clamp__scalar<nullptr>));
  m.impl("clamp_min_.Tensor", GB_FN(binary_inplace_meta<BinaryOp::Maximum>));
  m.impl("clamp_max_.Tensor", GB_FN(binary_inplace_meta<BinaryOp::Minimum>));
}
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("clamp", GB_FN(clamp_scalar));
  m.impl("clamp.Tensor", GB_FN(clamp_kernel));
  m.impl("clamp_min", GB_FN(bounded_by_number<&maximum_op>));
  m.impl("clamp_min.Tensor", GB_FN(bounded<&maximum_op>));
  m.impl("clamp_min_", GB_FN(bounded_by_number_<&clamp_min__op>));
  m.impl("clamp_max", GB_FN(bounded_by_number<&minimum_op>));
  m.impl("clamp_max.Tensor", GB_FN(bounded<&minimum_op>));
  m.impl("clamp_max_", GB_FN(bounded_by_number_<&clamp_max__op>));
}

Tensor maximum(const Tensor& self, const Tensor& other) { GB_RETURN_CALL(maximum_op(), self, other); }
Tensor minimum(const Tensor& self, const Tensor& other) { GB_RETURN_CALL(minimum_op(), self, other); }
Tensor Tensor::maximum(const Tensor& other) const { GB_RETURN_CALL(maximum_op(), *this, other); }
Tensor Tensor::minimum(const Tensor& other) const { GB_RETURN_CALL(minimum_op(), *this, other); }

Tensor clamp(const Tensor& self, OptionalScalar min, OptionalScalar max) {
  GB_RETURN_CALL(clamp_scalar_op(), self, min, max);
}
Tensor clamp(const Tensor& self, OptionalTensor min, OptionalTensor max) {
  GB_RETURN_CALL(clamp_op(), self, min, max);
}
Tensor clamp_min(const Tensor& self, const Scalar& min) { GB_RETURN_CALL(clamp_min_scalar_op(), self, min); }
Tensor clamp_min(const Tensor& self, const Tensor& min) { GB_RETURN_CALL(clamp_min_op(), self, min); }
Tensor clamp_max(const Tensor& self, const Scalar& max) { GB_RETURN_CALL(clamp_max_scalar_op(), self, max); }
Tensor clamp_max(const Tensor& self, const Tensor& max) { GB_RETURN_CALL(clamp_max_op(), self, max); }
Tensor Tensor::clamp(OptionalScalar min, OptionalScalar max) const {
  GB_RETURN_CALL(clamp_scalar_op(), *this, min, max);
}
Tensor Tensor::clamp(OptionalTensor min, OptionalTensor max) const {
  GB_RETURN_CALL(clamp_op(), *this, min, max);
}
Tensor& Tensor::clamp_(OptionalScalar min, OptionalScalar max) const {
  GB_RETURN_CALL(clamp__scalar_op(), const_cast<Tensor&>(*this), min, max);
}
Tensor& Tensor::clamp_(OptionalTensor min, OptionalTensor max) const {
  GB_RETURN_CALL(clamp__op(), const_cast<Tensor&>(*this), min, max);
}
Tensor Tensor::clamp_min(const Scalar& min) const { GB_RETURN_CALL(clamp_min_scalar_op(), *this, min); }
Tensor& Tensor::clamp_min_(const Scalar& min) const {
  GB_RETURN_CALL(clamp_min__scalar_op(), const_cast<Tensor&>(*this), min);
}
Tensor Tensor::clamp_max(const Scalar& max) const { GB_RETURN_CALL(clamp_max_scalar_op(), *this, max); }
Tensor& Tensor::clamp_max_(const Scalar& max) const {
  GB_RETURN_CALL(clamp_max__scalar_op(), const_cast<Tensor&>(*this), max);
}

}  // namespace gb
