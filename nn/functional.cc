#include "nn/functional.h"

#include "ops/ops.h"

namespace gb::nn::functional {
namespace {

std::optional<Tensor> if_defined(const Tensor& t) { return t.defined() ? std::optional<Tensor>(t) : std::nullopt; }
int64_t number(LossReduction reduction) { return static_cast<int64_t>(reduction); }

}  // namespace

Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  return gb::linear(input, weight, if_defined(bias));
}
Tensor embedding(const Tensor& input, const Tensor& weight, const EmbeddingFuncOptions& options) {
  return gb::embedding(weight, input, options.padding_idx().value_or(-1), options.scale_grad_by_freq());
}
Tensor layer_norm(const Tensor& input, const LayerNormFuncOptions& options) {
  return gb::layer_norm(input, options.normalized_shape(), if_defined(options.weight()), if_defined(options.bias()),
                        options.eps());
}
Tensor dropout(const Tensor& input, const DropoutFuncOptions& options) {
  return gb::dropout(input, options.p(), options.training());
}
Tensor relu(const Tensor& input) { return gb::relu(input); }
Tensor gelu(const Tensor& input, const GELUFuncOptions& options) { return gb::gelu(input, options.approximate()); }
Tensor softmax(const Tensor& input, const SoftmaxFuncOptions& options) {
  return gb::softmax(input, options.dim(), options.dtype());
}
Tensor log_softmax(const Tensor& input, const LogSoftmaxFuncOptions& options) {
  return gb::log_softmax(input, options.dim(), options.dtype());
}
Tensor mse_loss(const Tensor& input, const Tensor& target, const MSELossFuncOptions& options) {
  return gb::mse_loss(input, target, number(options.reduction()));
}
Tensor nll_loss(const Tensor& input, const Tensor& target, const NLLLossFuncOptions& options) {
  return gb::nll_loss_nd(input, target, if_defined(options.weight()), number(options.reduction()),
                         options.ignore_index());
}
Tensor cross_entropy(const Tensor& input, const Tensor& target, const CrossEntropyFuncOptions& options) {
  return gb::cross_entropy_loss(input, target, if_defined(options.weight()), number(options.reduction()),
                                options.ignore_index(), options.label_smoothing());
}

}  // namespace gb::nn::functional
