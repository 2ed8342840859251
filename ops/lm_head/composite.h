// The LM head made of other operators: what runs on the CPU and Meta, what CUDA takes for tensors without elements, and
// what autograd records where a derivative must have a derivative.
#pragma once

#include <array>
#include <tuple>

#include "core/tensor.h"

namespace gb::composite {

using Gradients = std::tuple<Tensor, Tensor, Tensor>;  // of input, weight, bias; undefined where not asked for

Tensor linear_softmax(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias);
Gradients linear_softmax_backward(const Tensor& grad_output, const Tensor& output, const Tensor& input,
                                  const Tensor& weight, std::array<bool, 3> output_mask);

std::tuple<Tensor, Tensor, Tensor> linear_cross_entropy(const Tensor& input, const Tensor& weight, const Tensor& target,
                                                        const std::optional<Tensor>& bias, int64_t ignore_index);
// log_probabilities: log_softmax of the logits, [rows, out], of the dtype they are computed in.
Gradients linear_cross_entropy_backward(const Tensor& grad_output, const Tensor& log_probabilities, const Tensor& input,
                                        const Tensor& weight, const Tensor& target, int64_t ignore_index,
                                        const Tensor& total_weight, std::array<bool, 3> output_mask);
// Logits [rows, out] in the dtype they are computed in, never rounded to a half type.
Tensor logits(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias);

}  // namespace gb::composite
