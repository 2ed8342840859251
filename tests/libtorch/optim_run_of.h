// optimize<Api>: an OptimRun played by one library. Both have the same names, so there is one source.
#pragma once

#include <memory>

#include "tests/libtorch/optim_run.h"

namespace gb::tests::libtorch {

template <class Api>
OptimResult optimize(const OptimRun& run) {
  using Tensor = typename Api::Tensor;
  const size_t first = static_cast<size_t>(run.rows * run.columns);
  const auto two = [&](const std::vector<double>& numbers) {
    const auto split = numbers.begin() + static_cast<int64_t>(first);
    return std::vector<Tensor>{Api::tensor({numbers.begin(), split}, {run.rows, run.columns}, run.single_precision),
                               Api::tensor({split, numbers.end()}, {run.columns}, run.single_precision)};
  };
  std::vector<Tensor> parameters = two(run.start);
  for (Tensor& p : parameters) p.set_requires_grad(true);

  typename Api::SGDOptions sgd(run.lr);
  sgd.momentum(run.momentum).dampening(run.dampening).weight_decay(run.weight_decay).nesterov(run.nesterov);
  typename Api::AdamWOptions adamw(run.lr);
  adamw.betas({run.beta1, run.beta2}).eps(run.eps).weight_decay(run.weight_decay).amsgrad(run.amsgrad);
  std::vector<typename Api::OptimizerParamGroup> groups;
  if (run.second_lr == 0) {
    groups.emplace_back(parameters);
  } else {
    groups.emplace_back(std::vector<Tensor>{parameters[0]});
    groups.emplace_back(std::vector<Tensor>{parameters[1]});
    if (run.optimizer == "SGD")
      groups[1].set_options(std::make_unique<typename Api::SGDOptions>(typename Api::SGDOptions(sgd).lr(run.second_lr)));
    else
      groups[1].set_options(
          std::make_unique<typename Api::AdamWOptions>(typename Api::AdamWOptions(adamw).lr(run.second_lr)));
  }
  std::unique_ptr<typename Api::Optimizer> optimizer;
  if (run.optimizer == "SGD")
    optimizer = std::make_unique<typename Api::SGD>(groups, sgd);
  else
    optimizer = std::make_unique<typename Api::AdamW>(groups, adamw);

  OptimResult result;
  for (const std::vector<double>& gradient : run.gradients) {
    optimizer->zero_grad();
    const std::vector<Tensor> grads = two(gradient);
    for (size_t i = 0; i < 2; ++i) parameters[i].mutable_grad() = grads[i];
    if (run.max_norm > 0) result.norms.push_back(Api::clip_grad_norm_(parameters, run.max_norm));
    optimizer->step();
    std::vector<double> now;
    for (const Tensor& p : parameters) {
      const std::vector<double> values = Api::values(p);
      now.insert(now.end(), values.begin(), values.end());
    }
    result.parameters.push_back(std::move(now));
  }
  return result;
}

}  // namespace gb::tests::libtorch
