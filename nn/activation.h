// Functions as modules, so that they can stand in a Sequential: ReLU, GELU, Tanh, Sigmoid, Softmax, LogSoftmax. None has
// parameters. Names follow torch/nn/modules/activation.h.
#pragma once

#include <string>

#include "nn/cloneable.h"
#include "nn/options.h"

namespace gb::nn {

class ReLUImpl : public Cloneable<ReLUImpl> {
 public:
  Tensor forward(const Tensor& input) const;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
};
GB_MODULE(ReLU);

class TanhImpl : public Cloneable<TanhImpl> {
 public:
  Tensor forward(const Tensor& input) const;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
};
GB_MODULE(Tanh);

class SigmoidImpl : public Cloneable<SigmoidImpl> {
 public:
  Tensor forward(const Tensor& input) const;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
};
GB_MODULE(Sigmoid);

struct GELUOptions {
  GB_ARG(std::string, approximate) = "none";  // or "tanh": GPT-2's formula
};
class GELUImpl : public Cloneable<GELUImpl> {
 public:
  explicit GELUImpl(GELUOptions options_ = {}) : options(std::move(options_)) {}
  Tensor forward(const Tensor& input) const;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  GELUOptions options;
};
GB_MODULE(GELU);

struct SoftmaxOptions {
  SoftmaxOptions(int64_t dim) : dim_(dim) {}
  GB_ARG(int64_t, dim);  // the values along it add up to 1
};
class SoftmaxImpl : public Cloneable<SoftmaxImpl> {
 public:
  explicit SoftmaxImpl(SoftmaxOptions options_) : options(options_) {}
  Tensor forward(const Tensor& input) const;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  SoftmaxOptions options;
};
GB_MODULE(Softmax);

using LogSoftmaxOptions = SoftmaxOptions;
class LogSoftmaxImpl : public Cloneable<LogSoftmaxImpl> {
 public:
  explicit LogSoftmaxImpl(LogSoftmaxOptions options_) : options(options_) {}
  Tensor forward(const Tensor& input) const;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  LogSoftmaxOptions options;
};
GB_MODULE(LogSoftmax);

}  // namespace gb::nn
