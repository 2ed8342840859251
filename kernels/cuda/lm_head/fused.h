// What the kernels of rung 2 share: W as floats in shared memory, and the logits of a few rows in a warp's registers.
//
// A lane has columns lane, lane + 32, ...: kChunks of them, for out <= 32 kChunks. Places past `out` have the bias
// -inf, so that their exponential is 0.
#pragma once

#include <cmath>

#include "kernels/cuda/element.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/softmax/formula.h"
#include "kernels/cuda/softmax/rows.h"

namespace gb::cuda {

inline constexpr int kFusedThreads = 256, kFusedWarps = kFusedThreads / 32;
inline constexpr int kMostChunks = 19;  // 608 columns

// Calls run(std::integral_constant<int, kChunks>) for the fewest chunks there are kernels for that hold `out` columns.
template <class Run>
void with_chunks(int64_t out, Run run) {
  if (out <= 32 * 5) return run(std::integral_constant<int, 5>());
  if (out <= 32 * 10) return run(std::integral_constant<int, 10>());
  return run(std::integral_constant<int, kMostChunks>());
}

// w: shared, [32 kChunks][stride], zeros past out and in; bias_of: shared, [32 kChunks].
// weight: [out, in]; bias: [out] or null. stride is odd, so that 32 neighbours of a column lie in 32 banks.
template <int kChunks, class T>
__device__ void load_head(float* w, float* bias_of, const T* weight, const T* bias, int in, int out, int stride) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  for (int j = warp; j < 32 * kChunks; j += kFusedWarps)
    for (int k = lane; k < stride; k += 32)
      w[j * stride + k] = j < out && k < in ? static_cast<float>(weight[static_cast<int64_t>(j) * in + k]) : 0;
  for (int j = static_cast<int>(threadIdx.x); j < 32 * kChunks; j += kFusedThreads)
    bias_of[j] = j >= out ? -INFINITY : bias ? static_cast<float>(bias[j]) : 0;
}

// The logits of kRows rows, row r's x being x[k * x_stride + r] in shared memory: a value of w, read once, serves all.
template <int kRows, int kChunks>
__device__ void make_logits(float (&z)[kRows][kChunks], const float* w, int stride, const float* bias_of,
                            const float* x, int x_stride, int in) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int c = 0; c < kChunks; ++c)
#pragma unroll
    for (int r = 0; r < kRows; ++r) z[r][c] = bias_of[lane + 32 * c];
  const float* column = w + lane * stride;
  for (int k = 0; k < in; ++k) {
    float of_row[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) of_row[r] = x[k * x_stride + r];
#pragma unroll
    for (int c = 0; c < kChunks; ++c) {
      const float factor = column[32 * c * stride + k];
#pragma unroll
      for (int r = 0; r < kRows; ++r) z[r][c] += of_row[r] * factor;
    }
  }
}

}  // namespace gb::cuda
