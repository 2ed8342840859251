#include "nn/activation.h"

#include <fmt/format.h>

#include <ostream>

#include "ops/ops.h"

namespace gb::nn {

Tensor ReLUImpl::forward(const Tensor& input) const { return gb::relu(input); }
Tensor TanhImpl::forward(const Tensor& input) const { return gb::tanh(input); }
Tensor SigmoidImpl::forward(const Tensor& input) const { return gb::sigmoid(input); }
Tensor GELUImpl::forward(const Tensor& input) const { return gb::gelu(input, options.approximate()); }
Tensor SoftmaxImpl::forward(const Tensor& input) const { return gb::softmax(input, options.dim()); }
Tensor LogSoftmaxImpl::forward(const Tensor& input) const { return gb::log_softmax(input, options.dim()); }

void ReLUImpl::pretty_print(std::ostream& stream) const { stream << "gb::nn::ReLU()"; }
void TanhImpl::pretty_print(std::ostream& stream) const { stream << "gb::nn::Tanh()"; }
void SigmoidImpl::pretty_print(std::ostream& stream) const { stream << "gb::nn::Sigmoid()"; }
void GELUImpl::pretty_print(std::ostream& stream) const {
  stream << fmt::format("gb::nn::GELU(approximate={})", options.approximate());
}
void SoftmaxImpl::pretty_print(std::ostream& stream) const {
  stream << fmt::format("gb::nn::Softmax(dim={})", options.dim());
}
void LogSoftmaxImpl::pretty_print(std::ostream& stream) const {
  stream << fmt::format("gb::nn::LogSoftmax(dim={})", options.dim());
}

}  // namespace gb::nn
