// dW and db, from what each block of a backward has of them.
#include "kernels/cuda/element.h"
#include "kernels/cuda/lm_head/block_sums.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

// grad_weight: [weights]; grad_bias: [biases], or null; partial: [blocks, weights + biases]. A thread per gradient.
template <class T>
__global__ void sum_blocks_kernel(T* grad_weight, T* grad_bias, const float* partial, int blocks, int64_t weights,
                                  int64_t biases) {
  const int64_t i = thread_number();
  if (i >= weights + biases) return;
  float sum = 0;
#pragma unroll 12  // so many loads are on their way together; what is added when stays the same
  for (int b = 0; b < blocks; ++b) sum += partial[b * (weights + biases) + i];
  if (i < weights)
    grad_weight[i] = static_cast<T>(sum);
  else if (grad_bias)
    grad_bias[i - weights] = static_cast<T>(sum);
}

}  // namespace

void sum_blocks(const LmHeadCall& a, void* grad_weight, void* grad_bias, unsigned blocks) {
  visit_floating(a.dtype, [&](auto zero) {
    using T = decltype(zero);
    GB_LAUNCH((sum_blocks_kernel<T>), blocks_for(a.out * a.in + a.out), kThreads, 0, a.stream,
              static_cast<T*>(grad_weight), static_cast<T*>(grad_bias), static_cast<const float*>(a.scratch),
              static_cast<int>(blocks), a.out * a.in, a.out);
  });
}

}  // namespace gb::cuda
