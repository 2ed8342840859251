// dW and db, from what each block of a backward has of them.
#include "kernels/cuda/element.h"
#include "kernels/cuda/lm_head/block_sums.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

constexpr int kWarps = static_cast<int>(kThreads) / 32;

// grad_weight: [weights]; grad_bias: [biases], or null; partial: [blocks, weights + biases]. A block has 32 gradients:
// each warp sums every eighth part of them, then one warp those sums.
template <class T>
__global__ void sum_blocks_kernel(T* grad_weight, T* grad_bias, const float* partial, int blocks, int64_t weights,
                                  int64_t biases) {
  __shared__ float of_warp[kWarps][32];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int64_t all = weights + biases, i = static_cast<int64_t>(blockIdx.x) * 32 + lane;
  float sum = 0;
  if (i < all)
#pragma unroll 17  // 132 blocks: all loads are on their way together
    for (int b = warp; b < blocks; b += kWarps) sum += partial[b * all + i];
  of_warp[warp][lane] = sum;
  __syncthreads();
  if (warp != 0 || i >= all) return;
  for (int w = 1; w < kWarps; ++w) sum += of_warp[w][lane];
  if (i < weights)
    grad_weight[i] = static_cast<T>(sum);
  else if (grad_bias)
    grad_bias[i - weights] = static_cast<T>(sum);
}

}  // namespace

void sum_blocks(const LmHeadCall& a, void* grad_weight, void* grad_bias, unsigned blocks) {
  visit_floating(a.dtype, [&](auto zero) {
    using T = decltype(zero);
    GB_LAUNCH((sum_blocks_kernel<T>), grid_of((a.out * a.in + a.out + 31) / 32), kThreads, 0, a.stream,
              static_cast<T*>(grad_weight), static_cast<T*>(grad_bias), static_cast<const float*>(a.scratch),
              static_cast<int>(blocks), a.out * a.in, a.out);
  });
}

}  // namespace gb::cuda
