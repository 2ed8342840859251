// Operators that choose, element by element: where, masked_fill, maximum, minimum, clamp. With broadcasting
// and promotion.
//
//   where(c, a, b)          a where c is true, else b; c is bool
//   masked_fill(x, m, v)    v where the bool m is true, else x; the dtype of x stays, v is a number or a
//   0-dim tensor maximum(a, b)           the larger of the two; NaN where either is NaN clamp(x, min, max) at
//   least min, then at most max: max wins where they cross; NaN stays
//
// Names follow ATen/native/{TensorCompare,BinaryOps}.cpp and TensorAdvancedIndexing.cpp.
#pragma once

#include <optional>

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other);
Tensor where(const Tensor& condition, const Scalar& self, const Tensor& other);
Tensor where(const Tensor& condition, const Tensor& self, const Scalar& other);
Tensor where(const Tensor& condition, const Scalar& self, const Scalar& other);
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value);
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Tensor& value);
Tensor maximum(const Tensor& self, const Tensor& other);
Tensor minimum(const Tensor& self, const Tensor& other);

using OptionalScalar = const std::optional<Scalar>&;
using OptionalTensor = const std::optional<Tensor>&;
Tensor clamp(const Tensor& self, OptionalScalar min = {}, OptionalScalar max = {});
Tensor clamp(const Tensor& self, OptionalTensor min, OptionalTensor max = {});
Tensor clamp_min(const Tensor& self, const Scalar& min);
Tensor clamp_min(const Tensor& self, const Tensor& min);
Tensor clamp_max(const Tensor& self, const Scalar& max);
Tensor clamp_max(const Tensor& self, const Tensor& max);

using PairOp = Tensor(const Tensor&, const Tensor&);
using PairOp_ = Tensor&(Tensor&, const Tensor&);
using NumberOp = Tensor(const Tensor&, const Scalar&);
using NumberOp_ = Tensor&(Tensor&, const Scalar&);

inline const auto& where_op() {
  return operator_of<"aten::where.self", Tensor(const Tensor&, const Tensor&, const Tensor&)>();
}
inline const auto& where_scalar_self_op() {
  return operator_of<"aten::where.ScalarSelf", Tensor(const Tensor&, const Scalar&, const Tensor&)>();
}
inline const auto& where_scalar_other_op() {
  return operator_of<"aten::where.ScalarOther", Tensor(const Tensor&, const Tensor&, const Scalar&)>();
}
inline const auto& where_scalar_op() {
  return operator_of<"aten::where.Scalar", Tensor(const Tensor&, const Scalar&, const Scalar&)>();
}
inline const auto& masked_fill_op() {
  return operator_of<"aten::masked_fill.Tensor", Tensor(const Tensor&, const Tensor&, const Tensor&)>();
}
inline const auto& masked_fill__op() {
  return operator_of<"aten::masked_fill_.Tensor", Tensor&(Tensor&, const Tensor&, const Tensor&)>();
}
inline const auto& masked_fill_scalar_op() {
  return operator_of<"aten::masked_fill.Scalar", Tensor(const Tensor&, const Tensor&, const Scalar&)>();
}
inline const auto& masked_fill__scalar_op() {
  return operator_of<"aten::masked_fill_.Scalar", Tensor&(Tensor&, const Tensor&, const Scalar&)>();
}
inline const auto& maximum_op() { return operator_of<"aten::maximum", PairOp>(); }
inline const auto& minimum_op() { return operator_of<"aten::minimum", PairOp>(); }
inline const auto& clamp_op() {
  return operator_of<"aten::clamp.Tensor", Tensor(const Tensor&, OptionalTensor, OptionalTensor)>();
}
inline const auto& clamp__op() {
  return operator_of<"aten::clamp_.Tensor", Tensor&(Tensor&, OptionalTensor, OptionalTensor)>();
}
inline const auto& clamp_scalar_op() {
  return operator_of<"aten::clamp", Tensor(const Tensor&, OptionalScalar, OptionalScalar)>();
}
inline const auto& clamp__scalar_op() {
  return operator_of<"aten::clamp_", Tensor&(Tensor&, OptionalScalar, OptionalScalar)>();
}
inline const auto& clamp_min_op() { return operator_of<"aten::clamp_min.Tensor", PairOp>(); }
inline const auto& clamp_min__op() { return operator_of<"aten::clamp_min_.Tensor", PairOp_>(); }
inline const auto& clamp_min_scalar_op() { return operator_of<"aten::clamp_min", NumberOp>(); }
inline const auto& clamp_min__scalar_op() { return operator_of<"aten::clamp_min_", NumberOp_>(); }
inline const auto& clamp_max_op() { return operator_of<"aten::clamp_max.Tensor", PairOp>(); }
inline const auto& clamp_max__op() { return operator_of<"aten::clamp_max_.Tensor", PairOp_>(); }
inline const auto& clamp_max_scalar_op() { return operator_of<"aten::clamp_max", NumberOp>(); }
inline const auto& clamp_max__scalar_op() { return operator_of<"aten::clamp_max_", NumberOp_>(); }

}  // namespace gb
