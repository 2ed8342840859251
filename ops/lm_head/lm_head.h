// The LM head as one operator: Linear and softmax, or Linear and the mean cross-entropy loss.
//
//   linear_softmax         softmax(linear(input, weight, bias), -1)
//   linear_cross_entropy   cross_entropy_loss(linear(input, weight, bias), target)
//
// Same values as those calls, but half types round once: the logits are not rounded in between. On CUDA a rung of
// kernels/cuda/lm_head computes them, the fused ones without logits in memory; elsewhere both are made of the operators above. A
// first derivative is one operator, an underscored one below; with create_graph it is made of recorded operators
// instead, so that it has a derivative again.
//
// PyTorch has no such operators, hence the namespace glassbox. Floating dtypes, one for all tensors but target.
#pragma once

#include <array>
#include <tuple>

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

// input [..., in], weight [out, in], bias [out] -> [..., out], contiguous.
Tensor linear_softmax(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {});

// input [rows, in], target int64 [rows] -> []: the mean over the rows whose target is not ignore_index (NaN over none).
// A target that is no class is an IndexError, found before anything is computed.
Tensor linear_cross_entropy(const Tensor& input, const Tensor& weight, const Tensor& target,
                            const std::optional<Tensor>& bias = {}, int64_t ignore_index = -100);

// grad_output, output [..., out] -> the gradients of input, weight and bias that output_mask asks for.
std::tuple<Tensor, Tensor, Tensor> _linear_softmax_backward(const Tensor& grad_output, const Tensor& output,
                                                            const Tensor& input, const Tensor& weight,
                                                            std::array<bool, 3> output_mask);
// The loss; logsumexp of each row [rows]; the number of rows that count []. The last two are of the dtype that input's
// is computed in: Double for Double, else Float.
std::tuple<Tensor, Tensor, Tensor> _linear_cross_entropy(const Tensor& input, const Tensor& weight,
                                                         const Tensor& target, const std::optional<Tensor>& bias,
                                                         int64_t ignore_index);
std::tuple<Tensor, Tensor, Tensor> _linear_cross_entropy_backward(
    const Tensor& grad_output, const Tensor& input, const Tensor& weight, const Tensor& target,
    const std::optional<Tensor>& bias, int64_t ignore_index, const Tensor& logsumexp, const Tensor& total_weight,
    std::array<bool, 3> output_mask);

using LinearSoftmaxOp = Tensor(const Tensor&, const Tensor&, const std::optional<Tensor>&);
using LinearCrossEntropyOp = Tensor(const Tensor&, const Tensor&, const Tensor&, const std::optional<Tensor>&, int64_t);
inline const auto& linear_softmax_op() { return operator_of<"glassbox::linear_softmax", LinearSoftmaxOp>(); }
inline const auto& linear_cross_entropy_op() {
  return operator_of<"glassbox::linear_cross_entropy", LinearCrossEntropyOp>();
}
inline const auto& _linear_softmax_backward_op() {
  return operator_of<"glassbox::_linear_softmax_backward", decltype(_linear_softmax_backward)>();
}
inline const auto& _linear_cross_entropy_op() {
  return operator_of<"glassbox::_linear_cross_entropy", decltype(_linear_cross_entropy)>();
}
inline const auto& _linear_cross_entropy_backward_op() {
  return operator_of<"glassbox::_linear_cross_entropy_backward", decltype(_linear_cross_entropy_backward)>();
}

}  // namespace gb
