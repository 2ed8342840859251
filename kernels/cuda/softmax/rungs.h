// The rungs of the softmax ladder, each in a file of its name. Callers use softmax.h.
#pragma once

#include "kernels/cuda/softmax/softmax.h"

namespace gb::cuda {

namespace softmax_01_naive {
void forward(ScalarType dtype, void* out, const void* in, int64_t rows, int64_t cols, StreamHandle stream);
void backward(ScalarType dtype, void* grad_input, const void* grad, const void* output, int64_t rows,
              int64_t cols, StreamHandle stream);
}  // namespace softmax_01_naive

}  // namespace gb::cuda
