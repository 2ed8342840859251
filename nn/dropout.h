// Dropout: in training, each value becomes 0 with probability p, and the others are divided by 1 - p, so that the
// expected value stays; in evaluation, nothing happens. Names follow torch/nn/modules/dropout.h.
#pragma once

#include "nn/cloneable.h"
#include "nn/options.h"

namespace gb::nn {

struct DropoutOptions {
  DropoutOptions(double p = 0.5) : p_(p) {}
  GB_ARG(double, p);
};

class DropoutImpl : public Cloneable<DropoutImpl> {
 public:
  explicit DropoutImpl(double p) : DropoutImpl(DropoutOptions(p)) {}
  explicit DropoutImpl(DropoutOptions options = {});  // throws ValueError for a p outside of [0, 1]

  Tensor forward(const Tensor& input) const;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  DropoutOptions options;
};
GB_MODULE(Dropout);

}  // namespace gb::nn
