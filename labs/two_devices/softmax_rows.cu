#include "labs/two_devices/softmax_rows.h"

#include <cmath>

#include "kernels/cuda/launch.h"

namespace gb::labs {
namespace {

constexpr int kWarps = 4;  // rows of a block

// y, x: [rows, cols]. A lane takes every 32nd element; the warp agrees by shuffles.
__global__ void softmax_rows_kernel(float* y, const float* x, int64_t rows, int64_t cols) {
  const int64_t row = static_cast<int64_t>(blockIdx.x) * kWarps + threadIdx.x / 32;
  if (row >= rows) return;
  const int lane = threadIdx.x % 32;
  float max = -INFINITY, sum = 0;
  for (int64_t c = lane; c < cols; c += 32) max = fmaxf(max, x[row * cols + c]);
  for (int step = 16; step > 0; step /= 2) max = fmaxf(max, __shfl_xor_sync(0xffffffffu, max, step));
  for (int64_t c = lane; c < cols; c += 32) sum += std::exp(x[row * cols + c] - max);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  for (int64_t c = lane; c < cols; c += 32) y[row * cols + c] = std::exp(x[row * cols + c] - max) / sum;
}

}  // namespace

void softmax_rows(float* y, const float* x, int64_t rows, int64_t cols, cuda::StreamHandle stream) {
  if (rows == 0 || cols == 0) return;
  GB_LAUNCH((softmax_rows_kernel), static_cast<unsigned>((rows + kWarps - 1) / kWarps), 32 * kWarps, 0, stream, y, x,
            rows, cols);
}

}  // namespace gb::labs
