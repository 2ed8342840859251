// dW and db, from what each block of a backward has of them.
#include "kernels/cuda/element.h"
#include "kernels/cuda/lm_head/block_sums.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

constexpr int kParts = 4, kAt = static_cast<int>(kThreads) / kParts;  // of the sums; gradients of a block

// grad_weight: [weights]; grad_bias: [biases], or null; partial: [blocks, weights + biases]. A block has kAt gradients:
// of each, kParts threads sum every kParts-th block's, so that enough loads are on their way together.
template <class T>
__global__ void sum_blocks_kernel(T* grad_weight, T* grad_bias, const float* partial, int blocks, int64_t weights,
                                  int64_t biases) {
  __shared__ float of_part[kParts][kAt];
  const int at = static_cast<int>(threadIdx.x) % kAt, part = static_cast<int>(threadIdx.x) / kAt;
  const int64_t all = weights + biases, i = static_cast<int64_t>(blockIdx.x) * kAt + at;
  float sum = 0;
  if (i < all) {
#pragma unroll 33  // loads side by side; what is added when stays the same
    for (int b = part; b < blocks; b += kParts) sum += partial[b * all + i];
  }
  of_part[part][at] = sum;
  __syncthreads();
  if (part != 0 || i >= all) return;
  for (int other = 1; other < kParts; ++other) sum += of_part[other][at];
  if (i < weights)
    grad_weight[i] = static_cast<T>(sum);
  else if (grad_bias)
    grad_bias[i - weights] = static_cast<T>(sum);
}

}  // namespace

void sum_blocks(const LmHeadCall& a, void* grad_weight, void* grad_bias, unsigned blocks) {
  visit_floating(a.dtype, [&](auto zero) {
    using T = decltype(zero);
    GB_LAUNCH((sum_blocks_kernel<T>), grid_of((a.out * a.in + a.out + kAt - 1) / kAt), kThreads, 0, a.stream,
              static_cast<T*>(grad_weight), static_cast<T*>(grad_bias), static_cast<const float*>(a.scratch),
              static_cast<int>(blocks), a.out * a.in, a.out);
  });
}

}  // namespace gb::cuda
