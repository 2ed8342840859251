// Schemas, kernels, entry points.
#include "ops/addc/addc.h"

#include <fmt/format.h>

#include <cmath>

#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/common/geometry.h"
#include "ops/pointwise/pointwise.h"

namespace gb {
namespace {

void check_division(const Tensor& tensor1, const Tensor& tensor2) {
  GB_CHECK_OR_THROW(tensor1.is_floating_point() || tensor2.is_floating_point(), Error,
                    .what = "addcdiv: Integer division with addcdiv is no longer supported",
                    .cause = fmt::format("tensor1 is {}, tensor2 {}", toString(tensor1.scalar_type()),
                                         toString(tensor2.scalar_type())),
                    .repair = "convert one of them: x.to(kFloat)", .chapter = chapters::kTensors);
}

Tensor addcmul_kernel(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value) {
  return self.add(tensor1.mul(tensor2), value);
}
Tensor& addcmul__kernel(Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value) {
  return self.add_(tensor1.mul(tensor2), value);
}
Tensor addcdiv_kernel(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value) {
  check_division(tensor1, tensor2);
  return self.add(tensor1.div(tensor2), value);
}
Tensor& addcdiv__kernel(Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value) {
  check_division(tensor1, tensor2);
  return self.add_(tensor1.div(tensor2), value);
}

void check_same_dtype(const Tensor& self, const Tensor& other, const char* name) {
  GB_CHECK_OR_THROW(self.scalar_type() == other.scalar_type(), Error,
                    .what = fmt::format("lerp: expected dtype {} for `{}` but got dtype {}",
                                        toString(self.scalar_type()), name, toString(other.scalar_type())),
                    .cause = "lerp does not promote", .repair = "convert it: x.to(self.scalar_type())",
                    .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(
      self.is_floating_point(), NotImplementedError,
      .what = fmt::format("lerp: \"lerp_kernel\" not implemented for '{}'", toString(self.scalar_type())),
      .cause = "between two integers lie fractions", .repair = "convert them: x.to(kFloat)",
      .chapter = chapters::kTensors);
}

Tensor lerp_scalar(const Tensor& self, const Tensor& end, const Scalar& weight) {
  check_same_dtype(self, end, "end");
  const Tensor difference = end.sub(self);
  const double w = weight.toDouble();
  return std::abs(w) < 0.5 ? self.add(difference, weight) : end.sub(difference, 1 - w);
}
Tensor lerp_kernel(const Tensor& self, const Tensor& end, const Tensor& weight) {
  check_same_dtype(self, end, "end");
  check_same_dtype(self, weight, "weight");
  const Tensor difference = end.sub(self);
  const Tensor from_self = self.add(weight.mul(difference)),
               from_end = end.sub(weight.neg().add(1).mul(difference));
  return gb::where(weight.abs().lt(0.5), from_self, from_end);
}
Tensor& lerp__scalar(Tensor& self, const Tensor& end, const Scalar& weight) {
  check_broadcasts_into(end.sizes(), self.sizes(), "lerp_");
  check_no_internal_overlap(self, "lerp_");
  return self.copy_(lerp_scalar(self, end, weight));
}
Tensor& lerp__kernel(Tensor& self, const Tensor& end, const Tensor& weight) {
  check_broadcasts_into(end.sizes(), self.sizes(), "lerp_");
  check_broadcasts_into(weight.sizes(), self.sizes(), "lerp_");
  check_no_internal_overlap(self, "lerp_");
  return self.copy_(lerp_kernel(self, end, weight));
}

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor");
  m.def("addcmul_(Tensor(a!) self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor(a!)");
  m.def("addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor");
  m.def("addcdiv_(Tensor(a!) self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor(a!)");
  m.def("lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor");
  m.def("lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor");
  m.def("lerp_.Scalar(Tensor(a!) self, Tensor end, Scalar weight) -> Tensor(a!)");
  m.def("lerp_.Tensor(Tensor(a!) self, Tensor end, Tensor weight) -> Tensor(a!)");
}
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("addcmul", GB_FN(addcmul_kernel));
  m.impl("addcmul_", GB_FN(addcmul__kernel));
  m.impl("addcdiv", GB_FN(addcdiv_kernel));
  m.impl("addcdiv_", GB_FN(addcdiv__kernel));
  m.impl("lerp.Scalar", GB_FN(lerp_scalar));
  m.impl("lerp.Tensor", GB_FN(lerp_kernel));
  m.impl("lerp_.Scalar", GB_FN(lerp__scalar));
  m.impl("lerp_.Tensor", GB_FN(lerp__kernel));
}

Tensor addcmul(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value) {
  GB_RETURN_CALL(addcmul_op(), self, tensor1, tensor2, value);
}
Tensor addcdiv(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value) {
  GB_RETURN_CALL(addcdiv_op(), self, tensor1, tensor2, value);
}
Tensor lerp(const Tensor& self, const Tensor& end, const Scalar& weight) {
  GB_RETURN_CALL(lerp_scalar_op(), self, end, weight);
}
Tensor lerp(const Tensor& self, const Tensor& end, const Tensor& weight) {
  GB_RETURN_CALL(lerp_op(), self, end, weight);
}
Tensor Tensor::addcmul(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value) const {
  GB_RETURN_CALL(addcmul_op(), *this, tensor1, tensor2, value);
}
Tensor& Tensor::addcmul_(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value) const {
  GB_RETURN_CALL(addcmul__op(), const_cast<Tensor&>(*this), tensor1, tensor2, value);
}
Tensor Tensor::addcdiv(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value) const {
  GB_RETURN_CALL(addcdiv_op(), *this, tensor1, tensor2, value);
}
Tensor& Tensor::addcdiv_(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value) const {
  GB_RETURN_CALL(addcdiv__op(), const_cast<Tensor&>(*this), tensor1, tensor2, value);
}
Tensor Tensor::lerp(const Tensor& end, const Scalar& weight) const {
  GB_RETURN_CALL(lerp_scalar_op(), *this, end, weight);
}
Tensor Tensor::lerp(const Tensor& end, const Tensor& weight) const {
  GB_RETURN_CALL(lerp_op(), *this, end, weight);
}
Tensor& Tensor::lerp_(const Tensor& end, const Scalar& weight) const {
  GB_RETURN_CALL(lerp__scalar_op(), const_cast<Tensor&>(*this), end, weight);
}
Tensor& Tensor::lerp_(const Tensor& end, const Tensor& weight) const {
  GB_RETURN_CALL(lerp__op(), const_cast<Tensor&>(*this), end, weight);
}

}  // namespace gb
