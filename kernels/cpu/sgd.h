// sgd: one step of stochastic gradient descent for one parameter, in one pass over its memory.
//
// The arithmetic is LibTorch's, rounding included, and the same bits on every instruction set, as in adamw.h. Source:
// torch/csrc/api/src/optim/sgd.cpp.
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/dispatch_stub.h"

namespace gb::cpu {

struct SgdStep {
  double lr, momentum, dampening, weight_decay;
  bool nesterov;
  bool first;  // the momentum buffer holds nothing yet
};

// All [n], of one dtype. momentum_buffer: null without momentum.
struct SgdArrays {
  void* param;
  const void* grad;
  void* momentum_buffer;
};

GB_CPU_KERNEL(sgd_fn, bool(ScalarType dtype, const SgdArrays& arrays, int64_t n, const SgdStep& step));

// Throws NotImplementedError for a dtype that is not floating.
void sgd(ScalarType dtype, const SgdArrays& arrays, int64_t n, const SgdStep& step);

}  // namespace gb::cpu
