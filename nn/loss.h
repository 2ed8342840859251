// Losses as modules: CrossEntropyLoss, NLLLoss, MSELoss. Names follow torch/nn/modules/loss.h.
//
//   CrossEntropyLoss   input [N, C] logits, target [N] class numbers   -log_softmax(input)[i, target[i]]
//   NLLLoss            input [N, C] log-probabilities, target [N]      -input[i, target[i]]
//   MSELoss            input and target of one shape                   (input - target)^2
//
// reduction: kMean (a class's weight counts, and rows whose target is ignore_index are left out), kSum, or kNone.
#pragma once

#include "nn/cloneable.h"
#include "nn/options.h"

namespace gb {

enum class LossReduction : int64_t { None, Mean, Sum };  // as the operators number them
inline constexpr LossReduction kNone = LossReduction::None, kMean = LossReduction::Mean, kSum = LossReduction::Sum;

namespace nn {

struct MSELossOptions {
  MSELossOptions(LossReduction reduction = kMean) : reduction_(reduction) {}
  GB_ARG(LossReduction, reduction);
};
struct NLLLossOptions {
  GB_ARG(Tensor, weight);  // [C]: of each class; undefined: 1
  GB_ARG(int64_t, ignore_index) = -100;
  GB_ARG(LossReduction, reduction) = kMean;
};
struct CrossEntropyLossOptions {
  GB_ARG(Tensor, weight);
  GB_ARG(int64_t, ignore_index) = -100;
  GB_ARG(LossReduction, reduction) = kMean;
  GB_ARG(double, label_smoothing) = 0;
};

class MSELossImpl : public Cloneable<MSELossImpl> {
 public:
  explicit MSELossImpl(MSELossOptions options_ = {}) : options(options_) {}
  Tensor forward(const Tensor& input, const Tensor& target) const;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  MSELossOptions options;
};
GB_MODULE(MSELoss);

class NLLLossImpl : public Cloneable<NLLLossImpl> {
 public:
  explicit NLLLossImpl(NLLLossOptions options_ = {}) : options(std::move(options_)) { reset(); }
  Tensor forward(const Tensor& input, const Tensor& target) const;
  void reset() override { weight = register_buffer("weight", options.weight()); }
  void pretty_print(std::ostream& stream) const override;

  NLLLossOptions options;
  Tensor weight;
};
GB_MODULE(NLLLoss);

class CrossEntropyLossImpl : public Cloneable<CrossEntropyLossImpl> {
 public:
  explicit CrossEntropyLossImpl(CrossEntropyLossOptions options_ = {}) : options(std::move(options_)) { reset(); }
  Tensor forward(const Tensor& input, const Tensor& target) const;
  void reset() override { weight = register_buffer("weight", options.weight()); }
  void pretty_print(std::ostream& stream) const override;

  CrossEntropyLossOptions options;
  Tensor weight;
};
GB_MODULE(CrossEntropyLoss);

}  // namespace nn
}  // namespace gb
