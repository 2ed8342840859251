// Schemas, kernels and entry points; the arithmetic is binary_op's.
#include "ops/pow/pow.h"

#include <fmt/format.h>

#include "dispatcher/library.h"
#include "dispatcher/local_dispatch_key_set.h"
#include "ops/common/binary_op.h"
#include "ops/common/type_promotion.h"

namespace gb {
namespace {

void check_exponent(const Tensor& self, const Scalar& exponent) {
  const bool integers = !self.is_floating_point() && exponent.isIntegral(/*includeBool=*/true);
  GB_CHECK_OR_THROW(
      !integers || exponent.toDouble() >= 0, ValueError,
      .what = "pow: Integers to negative integer powers are not allowed.",
      .cause = fmt::format("self is {}, the exponent {}", toString(self.scalar_type()), to_string(exponent)),
      .repair = "give a floating exponent, or convert self: x.to(kFloat)", .chapter = chapters::kTensors);
}

// The number as a wrapped 0-dim tensor: then promotion treats it as a number, and one kernel serves all. Below autograd:
// an inference tensor has passed by it, and the wrapped number, which is none, must not lead the call back there.
Tensor pow_scalar(const Tensor& self, const Scalar& exponent) {
  check_exponent(self, exponent);
  const AutoDispatchBelowAutograd guard;
  return pow_op().call(self, wrapped_scalar_tensor(exponent));
}
Tensor& pow__scalar(Tensor& self, const Scalar& exponent) {
  check_exponent(self, exponent);
  const AutoDispatchBelowAutograd guard;
  return pow__op().call(self, wrapped_scalar_tensor(exponent));
}
Tensor pow_of_number(const Scalar& self, const Tensor& exponent) {
  const AutoDispatchBelowAutograd guard;
  return pow_op().call(wrapped_scalar_tensor(self), exponent);
}

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor");
  m.def("pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor");
  m.def("pow.Scalar(Scalar self, Tensor exponent) -> Tensor");
  m.def("pow_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!)");
  m.def("pow_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)");
}
GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("pow.Tensor_Tensor", GB_FN(binary_cpu<BinaryOp::Pow>));
  m.impl("pow_.Tensor", GB_FN(binary_inplace_cpu<BinaryOp::Pow>));
}
GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("pow.Tensor_Tensor", GB_FN(binary_meta<BinaryOp::Pow>));
  m.impl("pow_.Tensor", GB_FN(binary_inplace_meta<BinaryOp::Pow>));
}
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("pow.Tensor_Scalar", GB_FN(pow_scalar));
  m.impl("pow_.Scalar", GB_FN(pow__scalar));
  m.impl("pow.Scalar", GB_FN(pow_of_number));
}

Tensor pow(const Tensor& self, const Scalar& exponent) { GB_RETURN_CALL(pow_scalar_op(), self, exponent); }
Tensor pow(const Tensor& self, const Tensor& exponent) { GB_RETURN_CALL(pow_op(), self, exponent); }
Tensor pow(const Scalar& self, const Tensor& exponent) { GB_RETURN_CALL(pow_of_number_op(), self, exponent); }
Tensor Tensor::pow(const Scalar& exponent) const { GB_RETURN_CALL(pow_scalar_op(), *this, exponent); }
Tensor Tensor::pow(const Tensor& exponent) const { GB_RETURN_CALL(pow_op(), *this, exponent); }
Tensor& Tensor::pow_(const Scalar& exponent) const {
  GB_RETURN_CALL(pow__scalar_op(), const_cast<Tensor&>(*this), exponent);
}
Tensor& Tensor::pow_(const Tensor& exponent) const {
  GB_RETURN_CALL(pow__op(), const_cast<Tensor&>(*this), exponent);
}

}  // namespace gb
