#include "nn/loss.h"

#include <ostream>

#include "nn/functional.h"

namespace gb::nn {

Tensor MSELossImpl::forward(const Tensor& input, const Tensor& target) const {
  return functional::mse_loss(input, target, options);
}
Tensor NLLLossImpl::forward(const Tensor& input, const Tensor& target) const {
  return functional::nll_loss(input, target, NLLLossOptions(options).weight(weight));
}
Tensor CrossEntropyLossImpl::forward(const Tensor& input, const Tensor& target) const {
  return functional::cross_entropy(input, target, CrossEntropyLossOptions(options).weight(weight));
}

void MSELossImpl::pretty_print(std::ostream& stream) const { stream << "gb::nn::MSELoss()"; }
void NLLLossImpl::pretty_print(std::ostream& stream) const { stream << "gb::nn::NLLLoss()"; }
void CrossEntropyLossImpl::pretty_print(std::ostream& stream) const { stream << "gb::nn::CrossEntropyLoss()"; }

}  // namespace gb::nn
