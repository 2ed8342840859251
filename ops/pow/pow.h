// pow: self to the power exponent, element by element, with broadcasting and promotion; either may be a
// number.
//
// Integers stay integers and wrap; an integer tensor to a negative integer *number* is refused, as its
// results are fractions. A bool has no powers. Names follow ATen/native/Pow.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor pow(const Tensor& self, const Scalar& exponent);
Tensor pow(const Tensor& self, const Tensor& exponent);
Tensor pow(const Scalar& self, const Tensor& exponent);

inline const auto& pow_op() {
  return operator_of<"aten::pow.Tensor_Tensor", Tensor(const Tensor&, const Tensor&)>();
}
inline const auto& pow__op() { return operator_of<"aten::pow_.Tensor", Tensor&(Tensor&, const Tensor&)>(); }
inline const auto& pow_scalar_op() {
  return operator_of<"aten::pow.Tensor_Scalar", Tensor(const Tensor&, const Scalar&)>();
}
inline const auto& pow__scalar_op() {
  return operator_of<"aten::pow_.Scalar", Tensor&(Tensor&, const Scalar&)>();
}
inline const auto& pow_of_number_op() {
  return operator_of<"aten::pow.Scalar", Tensor(const Scalar&, const Tensor&)>();
}

}  // namespace gb
