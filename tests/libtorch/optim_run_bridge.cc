// LibTorch's side of optim_run_of.h.
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>
#include <torch/nn/utils/clip_grad.h>

#include "tests/libtorch/optim_run_of.h"

namespace gb::tests::libtorch {
namespace {

struct LibTorch {
  using Tensor = torch::Tensor;
  using Optimizer = torch::optim::Optimizer;
  using OptimizerParamGroup = torch::optim::OptimizerParamGroup;
  using SGD = torch::optim::SGD;
  using SGDOptions = torch::optim::SGDOptions;
  using AdamW = torch::optim::AdamW;
  using AdamWOptions = torch::optim::AdamWOptions;

  static Tensor tensor(const std::vector<double>& numbers, std::vector<int64_t> sizes, bool single_precision) {
    return torch::tensor(numbers, torch::kFloat64).reshape(sizes).to(single_precision ? torch::kFloat32 : torch::kFloat64)
        .clone();  // not a view: zero_grad(false) detaches in place
  }
  static std::vector<double> values(const Tensor& t) {
    const Tensor wide = t.detach().to(torch::kFloat64).contiguous();
    return {wide.const_data_ptr<double>(), wide.const_data_ptr<double>() + wide.numel()};
  }
  static double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm) {
    return torch::nn::utils::clip_grad_norm_(parameters, max_norm);
  }
};

}  // namespace

OptimResult optimize_by_libtorch(const OptimRun& run) { return optimize<LibTorch>(run); }

}  // namespace gb::tests::libtorch
