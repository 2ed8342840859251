// AdamW: steps scaled by running averages of the gradient and of its square, with weight decay apart from both.
//
//   p *= 1 - lr * weight_decay
//   m  = beta1 * m + (1 - beta1) * g               exp_avg
//   v  = beta2 * v + (1 - beta2) * g * g           exp_avg_sq; with amsgrad the largest v so far is used below
//   p -= lr / (1 - beta1^step) * m / (sqrt(v) / sqrt(1 - beta2^step) + eps)
//
// Names follow torch/optim/adamw.h.
#pragma once

#include <tuple>

#include "nn/optim/optimizer.h"
#include "nn/options.h"

namespace gb::optim {

struct AdamWOptions : OptimizerCloneableOptions<AdamWOptions> {
  using betas_t = std::tuple<double, double>;

  AdamWOptions(double lr = 1e-3) : lr_(lr) {}
  void check() const override;

  GB_ARG(double, lr);
  GB_ARG(betas_t, betas) = {0.9, 0.999};
  GB_ARG(double, eps) = 1e-8;
  GB_ARG(double, weight_decay) = 1e-2;
  GB_ARG(bool, amsgrad) = false;
};

struct AdamWParamState : OptimizerCloneableParamState<AdamWParamState> {
  OrderedDict<std::string, Tensor> tensors() const override;

  GB_ARG(int64_t, step) = 0;
  GB_ARG(Tensor, exp_avg);
  GB_ARG(Tensor, exp_avg_sq);
  GB_ARG(Tensor, max_exp_avg_sq);
};

class AdamW : public Optimizer {
 public:
  explicit AdamW(const std::vector<OptimizerParamGroup>& param_groups, AdamWOptions defaults = {})
      : Optimizer(param_groups, std::make_unique<AdamWOptions>(std::move(defaults))) {}
  explicit AdamW(std::vector<Tensor> params, AdamWOptions defaults = {})
      : AdamW(std::vector{OptimizerParamGroup(std::move(params))}, std::move(defaults)) {}

 private:
  void update(const Tensor& parameter, const Tensor& grad, const OptimizerOptions& options,
              std::unique_ptr<OptimizerParamState>& state) override;
  std::unique_ptr<OptimizerParamState> make_state(const OrderedDict<std::string, Tensor>& tensors,
                                                  const Tensor& parameter) const override;
};

}  // namespace gb::optim
