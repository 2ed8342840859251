// glassbox's side of optim_run_of.h.
#include "nn/optim/adamw.h"
#include "nn/optim/sgd.h"
#include "nn/utils/clip_grad.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"
#include "tests/libtorch/optim_run_of.h"

namespace gb::tests::libtorch {
namespace {

struct Glassbox {
  using Tensor = gb::Tensor;
  using Optimizer = optim::Optimizer;
  using OptimizerParamGroup = optim::OptimizerParamGroup;
  using SGD = optim::SGD;
  using SGDOptions = optim::SGDOptions;
  using AdamW = optim::AdamW;
  using AdamWOptions = optim::AdamWOptions;

  static Tensor tensor(const std::vector<double>& numbers, std::vector<int64_t> sizes, bool single_precision) {
    return gb::tensor(numbers, kDouble).reshape(sizes).to(single_precision ? kFloat : kDouble);
  }
  static std::vector<double> values(const Tensor& t) { return tests::values(t); }
  static double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm) {
    return nn::utils::clip_grad_norm_(parameters, max_norm);
  }
};

}  // namespace

OptimResult optimize_by_glassbox(const OptimRun& run) { return optimize<Glassbox>(run); }

}  // namespace gb::tests::libtorch
