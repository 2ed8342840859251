// SGD: p -= lr * g, with weight decay, momentum and Nesterov's variant.
//
//   g += weight_decay * p
//   b  = momentum * b + (1 - dampening) * g        (the first time: b = g)
//   p -= lr * (nesterov ? g + momentum * b : b)    (without momentum: g)
//
// Names follow torch/optim/sgd.h.
#pragma once

#include "nn/optim/optimizer.h"
#include "nn/options.h"

namespace gb::optim {

struct SGDOptions : OptimizerCloneableOptions<SGDOptions> {
  SGDOptions(double lr) : lr_(lr) {}
  void check() const override;

  GB_ARG(double, lr);
  GB_ARG(double, momentum) = 0;
  GB_ARG(double, dampening) = 0;
  GB_ARG(double, weight_decay) = 0;
  GB_ARG(bool, nesterov) = false;
};

struct SGDParamState : OptimizerCloneableParamState<SGDParamState> {
  OrderedDict<std::string, Tensor> tensors() const override;

  GB_ARG(Tensor, momentum_buffer);
};

class SGD : public Optimizer {
 public:
  SGD(const std::vector<OptimizerParamGroup>& param_groups, SGDOptions defaults)
      : Optimizer(param_groups, std::make_unique<SGDOptions>(std::move(defaults))) {}
  SGD(std::vector<Tensor> params, SGDOptions defaults)
      : SGD(std::vector{OptimizerParamGroup(std::move(params))}, std::move(defaults)) {}

 private:
  void update(const Tensor& parameter, const Tensor& grad, const OptimizerOptions& options,
              std::unique_ptr<OptimizerParamState>& state) override;
  std::unique_ptr<OptimizerParamState> make_state(const OrderedDict<std::string, Tensor>& tensors,
                                                  const Tensor& parameter) const override;
};

}  // namespace gb::optim
