// StepLR: every `step_size` calls of step(), the learning rate of each group is multiplied by gamma.
//
// Call it after the optimizer's step. Names follow torch/optim/schedulers/step_lr.h.
#pragma once

#include "nn/optim/optimizer.h"

namespace gb::optim {

class StepLR {
 public:
  // Throws ValueError for step_size 0. REQUIRES that the optimizer lives longer.
  StepLR(Optimizer& optimizer, unsigned step_size, double gamma = 0.1);
  void step();

 private:
  Optimizer& optimizer_;
  unsigned step_size_, step_count_ = 0;
  double gamma_;
};

}  // namespace gb::optim
