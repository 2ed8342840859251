// Are all indices of a CUDA tensor within bounds? A kernel cannot throw, so the check runs on the GPU first
// and the host waits for its answer (kernels/cuda/index/index.h says why).
#pragma once

#include "core/tensor.h"

namespace gb {

// REQUIRES index int64 on a CUDA device that is current. Throws IndexError in the words of the CPU kernels.
void check_indices_cuda(const char* op, const Tensor& index, int64_t dim, int64_t dim_size);

}  // namespace gb
