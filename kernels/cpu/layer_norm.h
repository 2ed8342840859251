// layer_norm over the rows of a contiguous [rows, n], and its backward, each in one walk over the rows.
//
// forward:   mean and rstd = 1 / sqrt(mean of (x - mean)^2 + eps) of a row;  xhat = (x - mean) * rstd;  y =
// xhat * weight + bias backward:  g = grad * weight;  grad_input = rstd * (g - mean(g) - xhat * mean(g *
// xhat))
//            grad_weight = sum over rows of grad * xhat;  grad_bias = sum over rows of grad
//
// weight, bias [n]: null for 1 and 0. Of the three gradients those that are null are left out. mean, rstd:
// [rows]. Everything has one floating dtype; Half and BFloat16 compute in float and round once. Source:
// aten/src/ATen/native/cpu/layer_norm_kernel.cpp.
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/dispatch_stub.h"

namespace gb::cpu {

struct LayerNormGradients {
  void *input, *weight, *bias;  // [rows, n], [n], [n]
};
struct LayerNormInputs {
  const void *grad, *x, *mean, *rstd, *weight;  // [rows, n], [rows, n], [rows], [rows], [n]
};

// false: dtype not supported, nothing written.
GB_CPU_KERNEL(layer_norm_forward_fn,
              bool(ScalarType dtype, void* y, void* mean, void* rstd, const void* x, const void* weight,
                   const void* bias, double eps, int64_t rows, int64_t n));
GB_CPU_KERNEL(layer_norm_backward_fn, bool(ScalarType dtype, const LayerNormGradients& out,
                                           const LayerNormInputs& in, int64_t rows, int64_t n));

// Throw NotImplementedError for a dtype that is not floating.
void layer_norm(ScalarType dtype, void* y, void* mean, void* rstd, const void* x, const void* weight,
                const void* bias, double eps, int64_t rows, int64_t n);
void layer_norm_backward(ScalarType dtype, const LayerNormGradients& out, const LayerNormInputs& in,
                         int64_t rows, int64_t n);

}  // namespace gb::cpu
