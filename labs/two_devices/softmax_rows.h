// A user's own CUDA kernel: softmax over contiguous rows of floats, a warp per row.
#pragma once

#include <cstdint>

#include "kernels/cuda/stream_handle.h"

namespace gb::labs {

// y, x: [rows, cols], device pointers
void softmax_rows(float* y, const float* x, int64_t rows, int64_t cols, cuda::StreamHandle stream);

}  // namespace gb::labs
