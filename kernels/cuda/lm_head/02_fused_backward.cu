// LM head, rung 2, backward: dx, dW and db in one pass; dz [rows, out] lives in shared memory, 16 rows at a time.
//
// A block that stays keeps its share of dW, the sum over all of its rows, in registers: 600 x 64 floats are 150 for
// each of 256 threads. At the end it writes them into scratch memory, and a second small kernel adds up what the
// blocks have, in their order: two runs agree bit for bit.
//
// For a tile of 16 rows:  1. dz, a warp two rows: from p and dp, or, for the loss, from logits computed again
//                         2. dW += dz^T x (registers), db += dz, dx = dz W (each warp an eighth of the columns j)
//                         3. dx: the eight parts are added up and stored
#include <algorithm>
#include <type_traits>

#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/lm_head/block_sums.h"
#include "kernels/cuda/lm_head/fused.h"
#include "kernels/cuda/lm_head/rungs.h"

namespace gb::cuda::lm_head_02_fused {
namespace {

constexpr int kTile = 16;               // rows
constexpr int kRows = kTile / kFusedWarps;  // of a warp
constexpr int kIn = 64;                 // the most columns of x: two for each lane
constexpr int kStride = kIn + 1;        // of W in shared memory
constexpr int kTileStride = kTile + 4;  // of x and dz, whose rows lie side by side: 8 neighbours lie in all 32 banks

// One block's shared memory, in floats.
template <int kChunks>
struct Shared {
  static constexpr int kOut = 32 * kChunks;
  static constexpr int kDzFloats = kOut * kTileStride, kPartFloats = kFusedWarps * kTile * kIn;
  float w[kOut * kStride];       // [out][in], zeros past both
  alignas(16) float bias[kOut];  // -inf past out
  alignas(16) float x[kIn * kTileStride];  // [in][row]
  alignas(16) float dz[kDzFloats > kPartFloats ? kDzFloats : kPartFloats];  // [out][row]; then [warp][row][in], of dx
};

// Where dz comes from: the kernel's template parameter. `row`: of the matrix, less than rows; r: in the tile. Each
// fills dz[j * kTileStride + r] for all j of 32 kChunks, with zeros past out.
template <class T>
struct FromProbabilities {
  const T *p, *grad_p;  // [rows, out]
  template <int kChunks>
  __device__ void operator()(Shared<kChunks>& s, int64_t row, int r, int /*in*/, int out) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    float* const mine = &s.dz[lane * kTileStride + r];
    float dy[kChunks], dot = 0;
#pragma unroll
    for (int c = 0; c < kChunks; ++c)  // y waits where dz will be: dW has most of the registers
      mine[32 * c * kTileStride] = lane + 32 * c < out ? static_cast<float>(p[row * out + lane + 32 * c]) : 0;
#pragma unroll
    for (int c = 0; c < kChunks; ++c) {
      dy[c] = lane + 32 * c < out ? static_cast<float>(grad_p[row * out + lane + 32 * c]) : 0;
      dot += mine[32 * c * kTileStride] * dy[c];
    }
    dot = across_lanes<32>(dot, Plus());
#pragma unroll
    for (int c = 0; c < kChunks; ++c) {
      const float y = mine[32 * c * kTileStride];
      mine[32 * c * kTileStride] = lane + 32 * c < out ? y * (dy[c] - dot) : 0;  // not 0 * dot: dot may be a NaN
    }
  }
};

struct FromLoss {
  const float *logsumexp, *grad_loss;  // [rows]
  int64_t grad_loss_stride;
  const int64_t* target;  // [rows]
  int64_t ignore_index;
  template <int kChunks>
  __device__ void operator()(Shared<kChunks>& s, int64_t row, int r, int in, int /*out*/) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    float z[1][kChunks];
    make_logits(z, s.w, kStride, s.bias, s.x + r, kTileStride, in);
    const int64_t t = target[row];
    const float lse = logsumexp[row], grad = grad_loss[row * grad_loss_stride];
#pragma unroll
    for (int c = 0; c < kChunks; ++c) {
      const int j = lane + 32 * c;
      const float dz = (RowExp<float>::of(z[0][c], lse) - (j == t ? 1.0f : 0.0f)) * grad;
      s.dz[j * kTileStride + r] = t == ignore_index ? 0 : dz;  // not dz * 0: a NaN of an ignored row goes nowhere
    }
  }
};

// Four rows of one column, side by side in shared memory.
struct alignas(16) FourRows {
  float of[4];
};
__device__ inline FourRows four_rows(const float* from) { return *reinterpret_cast<const FourRows*>(from); }

// grad_x: [rows, in]; partial: [gridDim.x, out * in + out], dW and db of each block; x: [rows, in]; weight: [out, in];
// bias: [out] or null (only the loss has one)
template <class T, int kChunks, class Source>
__global__ void __launch_bounds__(kFusedThreads, 1)
    backward_kernel(T* grad_x, float* partial, Source source, const T* x, const T* weight, const T* bias, int64_t rows,
                    int in, int out) {
  GB_EXTERN_SHARED(Shared<kChunks>, shared);
  Shared<kChunks>& s = *shared;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  const int j0 = thread / 16, k0 = thread % 16;  // of dW, a thread has columns k0, k0 + 16, .. of rows j0, j0 + 16, ..
  constexpr int kOuts = 2 * kChunks, kIns = kIn / 16, kBiases = (32 * kChunks + kFusedThreads - 1) / kFusedThreads;
  load_head<kChunks>(s.w, s.bias, weight, bias, in, out, kStride);

  float dw[kOuts][kIns] = {}, db[kBiases] = {};
  const int64_t step = static_cast<int64_t>(gridDim.x) * kTile;
  for (int64_t first = static_cast<int64_t>(blockIdx.x) * kTile; first < rows; first += step) {
    for (int i = thread; i < kTile * kIn; i += kFusedThreads) {
      const int r = i / kIn, k = i % kIn;
      s.x[k * kTileStride + r] = first + r < rows && k < in ? static_cast<float>(x[(first + r) * in + k]) : 0;
    }
    __syncthreads();  // x is there, and at first W; the tile before is done with

#pragma unroll 1
    for (int r = warp * kRows; r < (warp + 1) * kRows; ++r) {
      if (first + r < rows)
        source(s, first + r, r, in, out);
      else
        for (int j = lane; j < 32 * kChunks; j += 32) s.dz[j * kTileStride + r] = 0;
    }
    __syncthreads();

#pragma unroll 1
    for (int r = 0; r < kTile; r += 4) {
      FourRows xs[kIns];
#pragma unroll
      for (int a = 0; a < kIns; ++a) xs[a] = four_rows(&s.x[(k0 + 16 * a) * kTileStride + r]);
#pragma unroll
      for (int b = 0; b < kOuts; ++b) {
        const FourRows dz = four_rows(&s.dz[(j0 + 16 * b) * kTileStride + r]);
#pragma unroll
        for (int a = 0; a < kIns; ++a)
#pragma unroll
          for (int i = 0; i < 4; ++i) dw[b][a] += dz.of[i] * xs[a].of[i];
      }
#pragma unroll
      for (int b = 0; b < kBiases; ++b) {
        if (thread + b * kFusedThreads >= 32 * kChunks) continue;
        const FourRows dz = four_rows(&s.dz[(thread + b * kFusedThreads) * kTileStride + r]);
        db[b] += (dz.of[0] + dz.of[1]) + (dz.of[2] + dz.of[3]);
      }
    }

    float dx[2][kTile] = {};  // columns lane and lane + 32
    for (int j = warp; j < 32 * kChunks; j += kFusedWarps) {
      const float w0 = s.w[j * kStride + lane], w1 = s.w[j * kStride + lane + 32];
#pragma unroll
      for (int r = 0; r < kTile; r += 4) {
        const FourRows dz = four_rows(&s.dz[j * kTileStride + r]);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          dx[0][r + i] += dz.of[i] * w0;
          dx[1][r + i] += dz.of[i] * w1;
        }
      }
    }
    __syncthreads();  // dz is done with: the parts of dx take its place
#pragma unroll
    for (int r = 0; r < kTile; ++r) {
      s.dz[(warp * kTile + r) * kIn + lane] = dx[0][r];
      s.dz[(warp * kTile + r) * kIn + lane + 32] = dx[1][r];
    }
    __syncthreads();
    for (int i = thread; i < kTile * kIn; i += kFusedThreads) {
      const int r = i / kIn, k = i % kIn;
      float sum = 0;
#pragma unroll
      for (int part = 0; part < kFusedWarps; ++part) sum += s.dz[part * kTile * kIn + i];
      if (first + r < rows && k < in) grad_x[(first + r) * in + k] = static_cast<T>(sum);
    }
  }

  float* const mine = partial + blockIdx.x * (static_cast<int64_t>(out) * in + out);
#pragma unroll
  for (int b = 0; b < kOuts; ++b)
#pragma unroll
    for (int a = 0; a < kIns; ++a) {
      const int j = j0 + 16 * b, k = k0 + 16 * a;
      if (j < out && k < in) mine[j * in + k] = dw[b][a];
    }
#pragma unroll
  for (int b = 0; b < kBiases; ++b)
    if (thread + b * kFusedThreads < out) mine[out * in + thread + b * kFusedThreads] = db[b];
}

bool fits(const LmHeadCall& a) {
  if (a.dtype == kDouble || a.in > kIn || a.out > 32 * kMostChunks) return false;
  bool fits = false;
  with_chunks(a.out, [&](auto chunks) { fits = may_share(sizeof(Shared<chunks.value>)); });
  return fits;
}
unsigned blocks_of(const LmHeadCall& a) {
  return static_cast<unsigned>(std::min<int64_t>((a.rows + kTile - 1) / kTile, multiprocessors()));
}

template <class Args, class MakeSource>
void launch(const Args& a, const void* bias, MakeSource source_of) {
  visit_floating(a.dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (sizeof(T) <= 4) {
      const auto source = source_of(zero);
      float* const partial = static_cast<float*>(a.scratch);
      with_chunks(a.out, [&](auto chunks) {
        using Source = std::remove_const_t<decltype(source)>;
        GB_LAUNCH((backward_kernel<T, chunks.value, Source>), blocks_of(a), kFusedThreads,
                  sizeof(Shared<chunks.value>), a.stream, static_cast<T*>(a.grad_x), partial, source,
                  static_cast<const T*>(a.x), static_cast<const T*>(a.weight), static_cast<const T*>(bias), a.rows,
                  static_cast<int>(a.in), static_cast<int>(a.out));
      });
    }
  });
  sum_blocks(a, a.grad_weight, a.grad_bias, blocks_of(a));
}

}  // namespace

bool takes(const LmHeadBackwardArgs& a) { return fits(a); }
bool takes(const LinearCrossEntropyBackwardArgs& a) { return fits(a); }
size_t scratch(const LmHeadBackwardArgs& a) { return bytes_of_blocks(a, blocks_of(a)); }
size_t scratch(const LinearCrossEntropyBackwardArgs& a) { return bytes_of_blocks(a, blocks_of(a)); }

void run(const LmHeadBackwardArgs& a) {
  launch(a, nullptr, [&](auto zero) {
    using T = decltype(zero);
    return FromProbabilities<T>{static_cast<const T*>(a.p), static_cast<const T*>(a.grad_p)};
  });
}

void run(const LinearCrossEntropyBackwardArgs& a) {
  launch(a, a.bias, [&](auto) {
    return FromLoss{static_cast<const float*>(a.logsumexp), static_cast<const float*>(a.grad_loss), a.grad_loss_stride,
                    a.target, a.ignore_index};
  });
}

}  // namespace gb::cuda::lm_head_02_fused
