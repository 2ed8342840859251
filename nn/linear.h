// Linear: y = x W^T + b, the layer of that name.
//
//   x [..., in_features]   weight [out_features, in_features]   bias [out_features]   ->   [..., out_features]
//
// Fresh weights and biases are uniform in +-1/sqrt(in_features), as in PyTorch; the grammar model draws its own
// (nn/init.h). Names follow torch/nn/modules/linear.h.
#pragma once

#include "nn/cloneable.h"
#include "nn/options.h"

namespace gb::nn {

class LinearOptions {
 public:
  LinearOptions(int64_t in_features, int64_t out_features) : in_features_(in_features), out_features_(out_features) {}

  GB_ARG(int64_t, in_features);
  GB_ARG(int64_t, out_features);
  GB_ARG(bool, bias) = true;
};

class LinearImpl : public Cloneable<LinearImpl> {
 public:
  LinearImpl(int64_t in_features, int64_t out_features) : LinearImpl(LinearOptions(in_features, out_features)) {}
  explicit LinearImpl(LinearOptions options);  // throws ValueError for negative sizes

  Tensor forward(const Tensor& input) const;
  void reset_parameters();
  void reset() override;
  void pretty_print(std::ostream& stream) const override;

  LinearOptions options;
  Tensor weight;  // [out_features, in_features], the default dtype
  Tensor bias;    // [out_features], or undefined
};
GB_MODULE(Linear);

}  // namespace gb::nn
