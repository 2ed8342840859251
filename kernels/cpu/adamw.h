// adamw: one step of AdamW for one parameter, in one pass over its memory.
//
// The arithmetic is LibTorch's, rounding included: each line of adamw_kernel.cc is one of its operators. Nothing is
// contracted to fused multiply-add, so every instruction set gives the same bits. Half and BFloat16 compute in float and
// round when they are stored (LibTorch rounds after each operator). Source: torch/csrc/api/src/optim/adamw.cpp.
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/dispatch_stub.h"

namespace gb::cpu {

struct AdamWStep {
  double decay;                // 1 - lr * weight_decay; 1: none
  double beta1, beta2, eps;
  double step_size;            // lr / (1 - beta1^step)
  double sqrt_bias_correction2;  // sqrt(1 - beta2^step)
};

// All [n], of one dtype. max_exp_avg_sq: null without amsgrad.
struct AdamWArrays {
  void* param;
  const void* grad;
  void *exp_avg, *exp_avg_sq, *max_exp_avg_sq;
};

GB_CPU_KERNEL(adamw_fn, bool(ScalarType dtype, const AdamWArrays& arrays, int64_t n, const AdamWStep& step));

// Throws NotImplementedError for a dtype that is not floating.
void adamw(ScalarType dtype, const AdamWArrays& arrays, int64_t n, const AdamWStep& step);

}  // namespace gb::cpu
