// LM head, rung 2: one pass. Changed: W stays in shared memory, and a row's logits in the registers of one warp.
//
// A block stays on its multiprocessor and loads W [out, in] once, as floats (600 x 64: 156 KB). Each of its warps takes
// eight rows at a time: it multiplies them with W, finds maximum and sum among its lanes, and stores the probabilities,
// or of the loss two numbers per row. The logits are never in memory, and never rounded. The arithmetic is that of CUDA
// cores, 77 kFLOP a row: at 60 TFLOP/s twice the time in which memory moves a float row's 2656 bytes.
//
// Backward is in 02_fused_backward.cu.
#include <algorithm>
#include <type_traits>

#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/lm_head/fused.h"
#include "kernels/cuda/lm_head/rungs.h"

namespace gb::cuda::lm_head_02_fused {
namespace {

constexpr int kRows = 8;  // of a warp at a time

// What becomes of a row's logits: the kernel's template parameter. `z` is one lane's share of them; max is the row's
// maximum, sum that of e^(z - max).
template <class T>
struct StoreProbabilities {
  T* p;  // [rows, out]
  template <int kChunks>
  __device__ void operator()(int64_t row, const float (&z)[kChunks], float /*max*/, float sum, int out) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const float of_row = 1 / sum;
#pragma unroll
    for (int c = 0; c < kChunks; ++c)  // z are exponentials by now
      if (lane + 32 * c < out) p[row * out + lane + 32 * c] = static_cast<T>(z[c] * of_row);
  }
  static constexpr bool kWantsExponentials = true;
};

struct StoreLoss {
  float *loss, *logsumexp;  // [rows]
  const int64_t* target;    // [rows]
  int64_t ignore_index;
  template <int kChunks>
  __device__ void operator()(int64_t row, const float (&z)[kChunks], float max, float sum, int /*out*/) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int64_t t = target[row];
    float of_target = 0;  // registers have no run-time index: each lane looks through its own
#pragma unroll
    for (int c = 0; c < kChunks; ++c)
      if (lane + 32 * c == t) of_target = z[c];
    of_target = across_lanes<32>(of_target, Plus());
    if (lane != 0) return;
    const float log_sum = std::log(sum);
    logsumexp[row] = max + log_sum;
    loss[row] = t == ignore_index ? 0 : max - of_target + log_sum;
  }
  static constexpr bool kWantsExponentials = false;
};

// x: [rows, in]; weight: [out, in]; bias: [out] or null. Shared: w [32 kChunks][in | 1], bias [32 kChunks], and for
// each warp its rows as [in][kRows].
template <class T, int kChunks, class Store>
__global__ void __launch_bounds__(kFusedThreads, 1)
    forward_kernel(Store store, const T* x, const T* weight, const T* bias, int64_t rows, int in, int out) {
  GB_EXTERN_SHARED(float, shared);
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int stride = in | 1;
  float* const w = shared;
  float* const bias_of = w + 32 * kChunks * stride;
  float* const mine = bias_of + 32 * kChunks + warp * in * kRows;  // [in][kRows]
  load_head<kChunks>(w, bias_of, weight, bias, in, out, stride);
  __syncthreads();  // the only one: from here on each warp goes its own way

  const int64_t step = static_cast<int64_t>(gridDim.x) * kFusedWarps * kRows;
  for (int64_t first = (static_cast<int64_t>(blockIdx.x) * kFusedWarps + warp) * kRows; first < rows; first += step) {
    const int here = static_cast<int>(min(static_cast<int64_t>(kRows), rows - first));
    __syncwarp();  // the rows before are done with
    for (int i = lane; i < kRows * in; i += 32) {
      const int r = i / in, k = i - r * in;
      mine[k * kRows + r] = r < here ? static_cast<float>(x[first * in + i]) : 0;
    }
    __syncwarp();

    float z[kRows][kChunks];
    make_logits(z, w, stride, bias_of, mine, kRows, in);
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      float max = -INFINITY, sum = 0;
#pragma unroll
      for (int c = 0; c < kChunks; ++c) max = Larger()(max, z[r][c]);
      max = across_lanes<32>(max, Larger());
#pragma unroll
      for (int c = 0; c < kChunks; ++c) {
        const float e = RowExp<float>::of(z[r][c], max);
        sum += e;
        if constexpr (Store::kWantsExponentials) z[r][c] = e;
      }
      sum = across_lanes<32>(sum, Plus());
      if (r < here) store(first + r, z[r], max, sum, out);
    }
  }
}

size_t shared_bytes(const LmHeadCall& a, int chunks) {
  const auto in = static_cast<size_t>(a.in);
  return sizeof(float) * (32 * static_cast<size_t>(chunks) * ((in | 1) + 1) + kFusedWarps * kRows * in);
}

bool fits(const LmHeadCall& a) {
  if (a.dtype == kDouble || a.in > 4096 || a.out > 32 * kMostChunks) return false;
  bool fits = false;
  with_chunks(a.out, [&](auto chunks) { fits = may_share(shared_bytes(a, chunks.value)); });
  return fits;
}

template <class T, class Store>
void launch(const LmHeadCall& a, const void* bias, Store store) {
  const int64_t groups = (a.rows + kFusedWarps * kRows - 1) / (kFusedWarps * kRows);
  const auto blocks = static_cast<unsigned>(std::min<int64_t>(groups, multiprocessors()));
  with_chunks(a.out, [&](auto chunks) {
    GB_LAUNCH((forward_kernel<T, chunks.value, Store>), blocks, kFusedThreads, shared_bytes(a, chunks.value), a.stream,
              store, static_cast<const T*>(a.x), static_cast<const T*>(a.weight), static_cast<const T*>(bias), a.rows,
              static_cast<int>(a.in), static_cast<int>(a.out));
  });
}

}  // namespace

bool takes(const LmHeadArgs& a) { return fits(a); }
bool takes(const LinearCrossEntropyArgs& a) { return fits(a); }
size_t scratch(const LmHeadArgs&) { return 0; }
size_t scratch(const LinearCrossEntropyArgs&) { return 0; }

void run(const LmHeadArgs& a) {
  visit_floating(a.dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (sizeof(T) <= 4) launch<T>(a, a.bias, StoreProbabilities<T>{static_cast<T*>(a.p)});
  });
}

void run(const LinearCrossEntropyArgs& a) {
  const StoreLoss store{static_cast<float*>(a.loss), static_cast<float*>(a.logsumexp), a.target, a.ignore_index};
  visit_floating(a.dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (sizeof(T) <= 4) launch<T>(a, a.bias, store);
  });
}

}  // namespace gb::cuda::lm_head_02_fused
