#include "nn/optim/step_lr.h"

namespace gb::optim {

StepLR::StepLR(Optimizer& optimizer, unsigned step_size, double gamma)
    : optimizer_(optimizer), step_size_(step_size), gamma_(gamma) {
  check_option(step_size > 0, "step_size", step_size, "1 or more");
}

void StepLR::step() {
  if (++step_count_ % step_size_ != 0) return;
  for (OptimizerParamGroup& group : optimizer_.param_groups()) {
    group.options().set_lr(group.options().get_lr() * gamma_);
  }
}

}  // namespace gb::optim
