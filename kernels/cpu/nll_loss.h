// The negative log likelihood of one class per row, and its backward: one number is read, or written, per
// row.
//
//   picked:     value[i] = -weight[target[i]] * input[i, target[i]],  used[i] = weight[target[i]];  0 where
//   target[i] == ignore_index backward:   grad_input[i, target[i]] = -weight[target[i]] * grad[i], everything
//   else 0
//
// input, grad_input: [rows, classes] contiguous; weight [classes] or null (then 1). Targets are checked as in
// gather.h: all of them before anything is written, the first bad one is returned. Floating dtypes, else
// NotImplementedError.
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/gather.h"

namespace gb::cpu {

// value, used: [rows] of double, so that what follows (a sum, a mean) rounds once.
BadIndex nll_loss(ScalarType dtype, double* value, double* used, const void* input, const int64_t* target,
                  const void* weight, int64_t rows, int64_t classes, int64_t ignore_index);

// grad: [rows] of double.
BadIndex nll_loss_backward(ScalarType dtype, void* grad_input, const double* grad, const int64_t* target,
                           const void* weight, int64_t rows, int64_t classes, int64_t ignore_index);

}  // namespace gb::cpu
