// Mathematical functions of one tensor, element by element, and their in-place forms.
//
// neg, abs, sign and floor keep the dtype (neg refuses bool); the others give the default floating dtype for
// integers and bools, so in place they refuse them. square is pow(self, 2), as in PyTorch.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor neg(const Tensor& self);
Tensor& neg_(Tensor& self);
Tensor exp(const Tensor& self);
Tensor& exp_(Tensor& self);
Tensor log(const Tensor& self);
Tensor& log_(Tensor& self);
Tensor sqrt(const Tensor& self);
Tensor& sqrt_(Tensor& self);
Tensor rsqrt(const Tensor& self);
Tensor& rsqrt_(Tensor& self);
Tensor reciprocal(const Tensor& self);
Tensor& reciprocal_(Tensor& self);
Tensor abs(const Tensor& self);
Tensor& abs_(Tensor& self);
Tensor sign(const Tensor& self);
Tensor& sign_(Tensor& self);
Tensor floor(const Tensor& self);
Tensor& floor_(Tensor& self);
Tensor sin(const Tensor& self);
Tensor& sin_(Tensor& self);
Tensor cos(const Tensor& self);
Tensor& cos_(Tensor& self);
Tensor square(const Tensor& self);
Tensor& square_(Tensor& self);

// x_op: aten::x; x__op: aten::x_.
inline const auto& neg_op() { return operator_of<"aten::neg", Tensor(const Tensor&)>(); }
inline const auto& neg__op() { return operator_of<"aten::neg_", Tensor&(Tensor&)>(); }
inline const auto& exp_op() { return operator_of<"aten::exp", Tensor(const Tensor&)>(); }
inline const auto& exp__op() { return operator_of<"aten::exp_", Tensor&(Tensor&)>(); }
inline const auto& log_op() { return operator_of<"aten::log", Tensor(const Tensor&)>(); }
inline const auto& log__op() { return operator_of<"aten::log_", Tensor&(Tensor&)>(); }
inline const auto& sqrt_op() { return operator_of<"aten::sqrt", Tensor(const Tensor&)>(); }
inline const auto& sqrt__op() { return operator_of<"aten::sqrt_", Tensor&(Tensor&)>(); }
inline const auto& rsqrt_op() { return operator_of<"aten::rsqrt", Tensor(const Tensor&)>(); }
inline const auto& rsqrt__op() { return operator_of<"aten::rsqrt_", Tensor&(Tensor&)>(); }
inline const auto& reciprocal_op() { return operator_of<"aten::reciprocal", Tensor(const Tensor&)>(); }
inline const auto& reciprocal__op() { return operator_of<"aten::reciprocal_", Tensor&(Tensor&)>(); }
inline const auto& abs_op() { return operator_of<"aten::abs", Tensor(const Tensor&)>(); }
inline const auto& abs__op() { return operator_of<"aten::abs_", Tensor&(Tensor&)>(); }
inline const auto& sign_op() { return operator_of<"aten::sign", Tensor(const Tensor&)>(); }
inline const auto& sign__op() { return operator_of<"aten::sign_", Tensor&(Tensor&)>(); }
inline const auto& floor_op() { return operator_of<"aten::floor", Tensor(const Tensor&)>(); }
inline const auto& floor__op() { return operator_of<"aten::floor_", Tensor&(Tensor&)>(); }
inline const auto& sin_op() { return operator_of<"aten::sin", Tensor(const Tensor&)>(); }
inline const auto& sin__op() { return operator_of<"aten::sin_", Tensor&(Tensor&)>(); }
inline const auto& cos_op() { return operator_of<"aten::cos", Tensor(const Tensor&)>(); }
inline const auto& cos__op() { return operator_of<"aten::cos_", Tensor&(Tensor&)>(); }
inline const auto& square_op() { return operator_of<"aten::square", Tensor(const Tensor&)>(); }
inline const auto& square__op() { return operator_of<"aten::square_", Tensor&(Tensor&)>(); }

}  // namespace gb
