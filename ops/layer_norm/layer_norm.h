// layer_norm: each row gets mean 0 and variance 1, then a weight and a bias per element.
//
//   input [..., *normalized_shape]    weight, bias [*normalized_shape] or none    ->  a new contiguous tensor
//   of input's sizes y = (x - mean) * rstd * weight + bias,    rstd = 1 / sqrt(variance + eps),    over the
//   last dimensions of each row
//
//   layer_norm                   composite: the first result of native_layer_norm
//   native_layer_norm            y, mean and rstd; these two [..., 1, ..., 1], and without history
//   native_layer_norm_backward   the gradients of input, weight and bias, as output_mask asks; the others are
//   undefined
//
// Floating dtypes, one for all (no float32 weights of a bfloat16 input). Names follow
// ATen/native/layer_norm.cpp.
#pragma once

#include <array>
#include <tuple>

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

using ThreeTensors = std::tuple<Tensor, Tensor, Tensor>;
using OptionalTensor = const std::optional<Tensor>&;

Tensor layer_norm(const Tensor& input, IntArrayRef normalized_shape, OptionalTensor weight = {},
                  OptionalTensor bias = {}, double eps = 1e-05, bool cudnn_enable = true);
ThreeTensors native_layer_norm(const Tensor& input, IntArrayRef normalized_shape, OptionalTensor weight,
                               OptionalTensor bias, double eps);
ThreeTensors native_layer_norm_backward(const Tensor& grad_out, const Tensor& input,
                                        IntArrayRef normalized_shape, const Tensor& mean, const Tensor& rstd,
                                        OptionalTensor weight, OptionalTensor bias,
                                        std::array<bool, 3> output_mask);

using LayerNormOp = Tensor(const Tensor&, IntArrayRef, OptionalTensor, OptionalTensor, double, bool);
using NativeLayerNormOp = ThreeTensors(const Tensor&, IntArrayRef, OptionalTensor, OptionalTensor, double);
using NativeLayerNormBackwardOp = ThreeTensors(const Tensor&, const Tensor&, IntArrayRef, const Tensor&,
                                               const Tensor&, OptionalTensor, OptionalTensor,
                                               std::array<bool, 3>);
inline const auto& layer_norm_op() { return operator_of<"aten::layer_norm", LayerNormOp>(); }
inline const auto& native_layer_norm_op() {
  return operator_of<"aten::native_layer_norm", NativeLayerNormOp>();
}
inline const auto& native_layer_norm_backward_op() {
  return operator_of<"aten::native_layer_norm_backward", NativeLayerNormBackwardOp>();
}

}  // namespace gb
