// The negative log likelihood of one class per row, and its backward: the CUDA counterpart of
// kernels/cpu/nll_loss.h, with the same memory. Targets have been checked (kernels/cuda/index/index.h:
// find_bad_target).
#pragma once

#include "core/scalar_type.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

// value, used: [rows] of double; input [rows, classes]; weight [classes] or null.
void nll_loss(ScalarType dtype, double* value, double* used, const void* input, const int64_t* target,
              const void* weight, int64_t rows, int64_t classes, int64_t ignore_index, StreamHandle stream);

// grad_input [rows, classes], every element of which is written; grad: [rows] of double.
void nll_loss_backward(ScalarType dtype, void* grad_input, const double* grad, const int64_t* target,
                       const void* weight, int64_t rows, int64_t classes, int64_t ignore_index, StreamHandle stream);

}  // namespace gb::cuda
