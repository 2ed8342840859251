// A kernel to stop in, for the session simt: 96 threads add up 96 numbers, first in each warp, then over the block.
#include <cstdio>
#include <vector>

#include "kernels/cuda/launch.h"

namespace {

// [anchor: kernel]
__global__ void block_sum_kernel(float* out, const float* in) {
  __shared__ float partial[3];
  float sum = in[threadIdx.x];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) *out = partial[0] + partial[1] + partial[2];
}

[[gnu::noinline]] void finished(float out) { std::printf("sum %g\n", static_cast<double>(out)); }

}  // namespace

int main() {
  std::vector<float> in(96);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  float out = 0;
  GB_LAUNCH((block_sum_kernel), 1, 96, 0, nullptr, &out, in.data());
  finished(out);
}
