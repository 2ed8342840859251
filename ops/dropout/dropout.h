// dropout: each element is 0 with probability p, and divided by 1 - p otherwise, so that the mean stays.
//
//   dropout           composite, as on PyTorch's CPU: input * noise, noise = 0 or 1 / (1 - p); input itself
//   where p is 0 or
//                     train is off
//   native_dropout    result and a bool mask of what stayed, as on PyTorch's GPU; without `train` it trains
//
// Numbers come from the default generator (ops/random/random.h). Names follow ATen/native/Dropout.cpp.
#pragma once

#include <tuple>

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor dropout(const Tensor& input, double p, bool train);
std::tuple<Tensor, Tensor> native_dropout(const Tensor& input, double p, std::optional<bool> train);
Tensor native_dropout_backward(const Tensor& grad_output, const Tensor& mask, double scale);

inline const auto& dropout_op() {
  return operator_of<"aten::dropout", Tensor(const Tensor&, double, bool)>();
}
inline const auto& native_dropout_op() {
  return operator_of<"aten::native_dropout",
                     std::tuple<Tensor, Tensor>(const Tensor&, double, std::optional<bool>)>();
}
inline const auto& native_dropout_backward_op() {
  return operator_of<"aten::native_dropout_backward", Tensor(const Tensor&, const Tensor&, double)>();
}

}  // namespace gb
