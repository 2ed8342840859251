// neg, exp, log: element by element. exp and log of integers and bools give the default floating dtype; neg
// keeps the dtype and refuses bool.
#pragma once

#include "core/tensor.h"
#include "dispatcher/operator_handle.h"

namespace gb {

Tensor neg(const Tensor& self);
Tensor exp(const Tensor& self);
Tensor log(const Tensor& self);

using UnaryHandle = TypedOperatorHandle<Tensor(const Tensor&)>;
const UnaryHandle& neg_op();
const UnaryHandle& exp_op();
const UnaryHandle& log_op();

}  // namespace gb
