// One optimizer run as data: the same numbers go to both libraries.
#pragma once

#include <string>
#include <vector>

namespace gb::tests::libtorch {

struct OptimRun {
  std::string optimizer;  // "SGD" or "AdamW"
  bool single_precision = false;
  double lr = 0.1, momentum = 0, dampening = 0, weight_decay = 0, beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
  bool nesterov = false, amsgrad = false;
  double max_norm = 0;      // clip_grad_norm_ before each step; 0: no clipping
  double second_lr = 0;     // the second parameter in a group of its own with this rate; 0: one group
  std::vector<double> start = {};  // both parameters, one behind the other: [rows, columns], then [columns]
  int64_t rows = 0, columns = 0;
  std::vector<std::vector<double>> gradients = {};  // for each step; laid out as `start`
};

struct OptimResult {
  std::vector<std::vector<double>> parameters;  // after each step; laid out as `start`
  std::vector<double> norms;                    // what clip_grad_norm_ returned
};

OptimResult optimize_by_libtorch(const OptimRun& run);
OptimResult optimize_by_glassbox(const OptimRun& run);

}  // namespace gb::tests::libtorch
