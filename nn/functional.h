// nn::functional: the layers as functions, for those who keep the weights themselves. Each is one call of an operator,
// with its arguments gathered in options. Names follow torch/nn/functional/.
#pragma once

#include <optional>
#include <vector>

#include "nn/activation.h"
#include "nn/loss.h"

namespace gb::nn::functional {

using GELUFuncOptions = GELUOptions;
using MSELossFuncOptions = MSELossOptions;
using NLLLossFuncOptions = NLLLossOptions;
using CrossEntropyFuncOptions = CrossEntropyLossOptions;

struct SoftmaxFuncOptions {
  SoftmaxFuncOptions(int64_t dim) : dim_(dim) {}
  GB_ARG(int64_t, dim);
  GB_ARG(std::optional<ScalarType>, dtype) = std::nullopt;
};
using LogSoftmaxFuncOptions = SoftmaxFuncOptions;

struct LayerNormFuncOptions {
  LayerNormFuncOptions(std::vector<int64_t> normalized_shape) : normalized_shape_(std::move(normalized_shape)) {}
  GB_ARG(std::vector<int64_t>, normalized_shape);
  GB_ARG(Tensor, weight);  // undefined: 1
  GB_ARG(Tensor, bias);    // undefined: 0
  GB_ARG(double, eps) = 1e-5;
};
struct DropoutFuncOptions {
  GB_ARG(double, p) = 0.5;
  GB_ARG(bool, training) = false;
};
struct EmbeddingFuncOptions {
  GB_ARG(std::optional<int64_t>, padding_idx) = std::nullopt;
  GB_ARG(bool, scale_grad_by_freq) = false;
};

Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {});
Tensor embedding(const Tensor& input, const Tensor& weight, const EmbeddingFuncOptions& options = {});
Tensor layer_norm(const Tensor& input, const LayerNormFuncOptions& options);
Tensor dropout(const Tensor& input, const DropoutFuncOptions& options = {});
Tensor relu(const Tensor& input);
Tensor gelu(const Tensor& input, const GELUFuncOptions& options = {});
Tensor softmax(const Tensor& input, const SoftmaxFuncOptions& options);
Tensor log_softmax(const Tensor& input, const LogSoftmaxFuncOptions& options);
Tensor mse_loss(const Tensor& input, const Tensor& target, const MSELossFuncOptions& options = {});
Tensor nll_loss(const Tensor& input, const Tensor& target, const NLLLossFuncOptions& options = {});
Tensor cross_entropy(const Tensor& input, const Tensor& target, const CrossEntropyFuncOptions& options = {});

}  // namespace gb::nn::functional
