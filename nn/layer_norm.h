// LayerNorm: each row shifted to mean 0 and scaled to variance 1, then scaled and shifted by what is learned.
//
//   y = (x - mean(x)) / sqrt(var(x) + eps) * weight + bias      over the last dimensions, normalized_shape
//
// Fresh weights are 1 and biases 0. Names follow torch/nn/modules/normalization.h.
#pragma once

#include <vector>

#include "nn/cloneable.h"
#include "nn/options.h"

namespace gb::nn {

struct LayerNormOptions {
  LayerNormOptions(std::vector<int64_t> normalized_shape) : normalized_shape_(std::move(normalized_shape)) {}
  GB_ARG(std::vector<int64_t>, normalized_shape);
  GB_ARG(double, eps) = 1e-5;
  GB_ARG(bool, elementwise_affine) = true;  // with weight and bias
};

class LayerNormImpl : public Cloneable<LayerNormImpl> {
 public:
  LayerNormImpl(std::vector<int64_t> normalized_shape) : LayerNormImpl(LayerNormOptions(std::move(normalized_shape))) {}
  explicit LayerNormImpl(LayerNormOptions options);

  Tensor forward(const Tensor& input) const;
  void reset_parameters();
  void reset() override;
  void pretty_print(std::ostream& stream) const override;

  LayerNormOptions options;
  Tensor weight, bias;  // [normalized_shape], or undefined
};
GB_MODULE(LayerNorm);

}  // namespace gb::nn
