// neg, exp, log and their in-place forms: element by element. exp and log of integers and bools give the default floating dtype
// (so in place they are refused); neg keeps the dtype and refuses bool.
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

// x_op: aten::x; x__op: aten::x_.
inline const auto& neg_op() { return operator_of<"aten::neg", Tensor(const Tensor&)>(); }
inline const auto& neg__op() { return operator_of<"aten::neg_", Tensor&(Tensor&)>(); }
inline const auto& exp_op() { return operator_of<"aten::exp", Tensor(const Tensor&)>(); }
inline const auto& exp__op() { return operator_of<"aten::exp_", Tensor&(Tensor&)>(); }
inline const auto& log_op() { return operator_of<"aten::log", Tensor(const Tensor&)>(); }
inline const auto& log__op() { return operator_of<"aten::log_", Tensor&(Tensor&)>(); }

}  // namespace gb
