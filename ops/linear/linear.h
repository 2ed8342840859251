// linear: input W^T + bias, a composite. Its gradient is that of the operators it calls.
//
//   input [..., in]    weight [out, in]    bias [out] or none    ->  [..., out]
//
//   two dimensions, bias     t(weight), addmm(bias, input, W^T)
//   two dimensions, none     t(weight), mm(input, W^T)
//   any other number         the same on input reshaped to [rows, in], the result viewed as [..., out]
//                            (without a bias by _unsafe_view, as matmul does)
//
// Names follow ATen/native/Linear.cpp. In PyTorch the last case goes through matmul where the input is not
// contiguous.
#pragma once

#include "dispatcher/operator_handle.h"

namespace gb {

Tensor linear(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {});

const TypedOperatorHandle<Tensor(const Tensor&, const Tensor&, const std::optional<Tensor>&)>& linear_op();

}  // namespace gb
