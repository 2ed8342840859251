// layer_norm over the rows of a contiguous [rows, n], and its backward: the CUDA counterpart of
// kernels/cpu/layer_norm.h, with the same arguments. All memory is contiguous; one floating dtype for everything,
// else NotImplementedError. Half and BFloat16 compute in float and round once.
#pragma once

#include "kernels/cpu/layer_norm.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

using cpu::LayerNormGradients;
using cpu::LayerNormInputs;

void layer_norm(ScalarType dtype, void* y, void* mean, void* rstd, const void* x, const void* weight,
                const void* bias, double eps, int64_t rows, int64_t n, StreamHandle stream);
void layer_norm_backward(ScalarType dtype, const LayerNormGradients& out, const LayerNormInputs& in, int64_t rows,
                         int64_t n, StreamHandle stream);

}  // namespace gb::cuda
