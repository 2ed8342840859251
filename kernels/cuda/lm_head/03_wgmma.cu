// LM head, rung 3: one pass on Hopper. Changed: wgmma multiplies, the copy engine brings x and takes p.
//
// A block stays, with W [600, 64] (77 KB) in shared memory, and works on tiles of 64 rows. Three warpgroups have 200
// columns each: 100 sums in each thread's registers. (A thirteenth warp for the copies would cost them: registers are
// given to four warps at a time, and 16 warps have 128 each.) One thread starts the copies of x, three tiles ahead.
// Each warpgroup makes e^(z - m) with the maximum m of its own columns, and the tensor cores work for the next
// warpgroup meanwhile. Then the three exchange (m, sum) of each row, once, through shared memory: "online" softmax. p
// is rounded into shared memory as it lies in memory, 16 rows by 16 rows, and one bulk store takes each such piece
// away while the next tile is multiplied.
//
//   clocks for a tile of 64 rows (bfloat16)     memory, at 1/132 of 4.25 TB/s   4500
//                                               instructions, 4 for each clock  2800
//                                               e^x, 16 for each clock          2400
//                                               product                         1200
//
// Only the warps that share rows wait for each other: barrier 1 + w, of warp w of each warpgroup.
#include <algorithm>

#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/instructions/named_barrier.h"
#include "kernels/cuda/instructions/tma.h"
#include "kernels/cuda/instructions/wgmma.h"
#include "kernels/cuda/lm_head/hopper_head.h"
#include "kernels/cuda/lm_head/rungs.h"
#include "kernels/cuda/softmax/formula.h"
#include "kernels/cuda/softmax/online.h"

namespace gb::cuda::lm_head_03_wgmma {
namespace {

constexpr int kStages = 4, kThreads = 3 * 128;  // tiles of x that are there or on their way
constexpr int kSums = kColumns / 2;  // of a thread: half of them of row `wgmma_row(0)`, half eight rows below

// What a warpgroup knows of a row.
struct Part {
  float max, sum;   // sum of e^(z - max)
  float of_target;  // the loss: z at the target, where it is one of its columns; else 0
};

// One block's shared memory; at a multiple of 1024.
template <class T>
struct Shared {
  T w[3][kColumns][kIn];       // swizzled, as the copy engine lays it
  T x[kStages][kTile][kIn];    // swizzled
  T p[kTile * 3 * kColumns];   // [kTile][out], as in memory
  alignas(8) float bias[3 * kColumns];  // -inf past out
  Part part[2][3][kTile];      // of even tiles and odd ones
  MBarrier w_is_there, x_is_there[kStages], x_is_free[kStages];
};

using Exp = HalfRowExp;  // its rounding cancels: all of a row's exponentials are moved by Exp::move

// The results: p [rows, out], or the loss's two numbers of each row. kWhole: out is all 600, so that where a row lies
// is known to the compiler and no store asks whether its column is there.
template <class T, bool whole>
struct Probabilities {
  static constexpr bool kIsLoss = false, kWhole = whole;
  T* p;
};
struct Loss {
  static constexpr bool kIsLoss = true, kWhole = false;
  float *loss, *logsumexp;  // [rows]
  const int64_t* target;    // [rows]
  int64_t ignore_index;
};

// x: [rows, in] by map_x, boxes of 64 rows; weight: [out, in] by map_w, boxes of 200 rows; bias: [out] or null
template <class T, class Result>
__global__ void __launch_bounds__(kThreads, 1)
    forward_kernel(Result result, const __grid_constant__ TensorMap map_x, const __grid_constant__ TensorMap map_w,
                   const T* bias, int64_t rows, int any_out) {
  const int out = Result::kWhole ? 3 * kColumns : any_out;
  GB_EXTERN_SHARED(char, memory);
  Shared<T>& s = *reinterpret_cast<Shared<T>*>(align_shared(memory, 1024));
  const int thread = static_cast<int>(threadIdx.x);
  const int64_t tiles = (rows + kTile - 1) / kTile;
  if (thread == 0) {
    s.w_is_there.init(1);
    for (int i = 0; i < kStages; ++i) {
      s.x_is_there[i].init(1);
      s.x_is_free[i].init(kThreads / 32);
    }
    fence_mbarrier_init();
  }
  for (int j = thread; j < 3 * kColumns; j += kThreads)
    s.bias[j] = j >= out ? -INFINITY : bias ? static_cast<float>(bias[j]) : 0;
  __syncthreads();

  const auto load_x = [&](int n) {  // of this block's tile number n
    const int64_t tile = blockIdx.x + static_cast<int64_t>(n) * gridDim.x;
    if (tile >= tiles) return;
    s.x_is_there[n % kStages].arrive_expect_tx(sizeof s.x[0]);
    tma_load(s.x[n % kStages], &map_x, &s.x_is_there[n % kStages], 0, static_cast<int>(tile * kTile));
  };
  if (thread == 0) {
    s.w_is_there.arrive_expect_tx(sizeof s.w);
    for (int g = 0; g < 3; ++g) tma_load(s.w[g], &map_w, &s.w_is_there, 0, g * kColumns);
    for (int n = 0; n < kStages; ++n) load_x(n);
  }

  const int group = thread / 128, warp = thread / 32 % 4, lane = thread % 32;
  const int row_of[2] = {wgmma_row(0), wgmma_row(2)};  // of the tile; the warp's 16 rows begin at 16 warp
  const bool starts_copies = group == 0 && lane == 0;  // of the p of these 16 rows
  const uint64_t of_w = wgmma_descriptor(s.w[group], Swizzle::Bytes128, 0, kEightRows);
  s.w_is_there.wait(0);
  int n = 0;
  for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x, ++n) {
    const int stage = n % kStages;
    int64_t target[2];  // the loss: of this thread's rows; they come while it waits for x
    if constexpr (Result::kIsLoss) {
#pragma unroll
      for (int h = 0; h < 2; ++h)
        target[h] = tile * kTile + row_of[h] < rows ? result.target[tile * kTile + row_of[h]] : -1;
    }
    s.x_is_there[stage].wait(n / kStages % 2);
    float z[kSums];
#pragma unroll
    for (int i = 0; i < kSums; i += 4) {  // two neighbours in both rows
      const float2 bias_here = *reinterpret_cast<const float2*>(&s.bias[group * kColumns + wgmma_column(i)]);
      z[i] = z[i + 2] = bias_here.x;
      z[i + 1] = z[i + 3] = bias_here.y;
    }
    const uint64_t of_x = wgmma_descriptor(s.x[stage], Swizzle::Bytes128, 0, kEightRows);
    wgmma_fence();
#pragma unroll
    for (int k = 0; k < kIn * 2; k += 32) wgmma<kColumns, T>(z, advance(of_x, k), advance(of_w, k), true);
    wgmma_commit();
    wgmma_wait<0>();
    if (lane == 0) s.x_is_free[stage].arrive();
    if (thread == 0 && n > 0) {  // the tile before: all warps have multiplied it by now, or soon will have
      s.x_is_free[(n - 1) % kStages].wait((n - 1) / kStages % 2);
      load_x(n - 1 + kStages);
    }

    Part mine[2] = {{-INFINITY, 0, 0}, {-INFINITY, 0, 0}};
    if constexpr (Result::kIsLoss) {  // braces: nvcc dropped the loop after one that began here without
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        // Less this thread's first column, so that what it is compared with is known to the compiler.
        const int here = static_cast<int>(target[h]) - group * kColumns - wgmma_column(0);
#pragma unroll
        for (int i = 0; i < kSums; ++i)
          if (i / 2 % 2 == h && i / 4 * 8 + i % 2 == here) mine[h].of_target = z[i];
        mine[h].of_target = across_lanes<4>(mine[h].of_target, Plus());
      }
    }
#pragma unroll
    for (int i = 0; i < kSums; ++i) mine[i / 2 % 2].max = Larger()(mine[i / 2 % 2].max, z[i]);
#pragma unroll
    for (int h = 0; h < 2; ++h) mine[h].max = across_lanes<4>(mine[h].max, Larger());  // four lanes share a row
#pragma unroll
    for (int i = 0; i < kSums; ++i) {
      z[i] = Exp::of(z[i], base_of(mine[i / 2 % 2].max));
      mine[i / 2 % 2].sum += z[i];
    }
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      mine[h].sum = across_lanes<4>(mine[h].sum, Plus());
      if (lane % 4 == 0) s.part[n % 2][group][row_of[h]] = mine[h];
    }
    if (!Result::kIsLoss && starts_copies) bulk_wait_read<0>();  // the place of p is free again
    named_barrier(1 + warp, 3 * 32);

#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const Part* part[3] = {&s.part[n % 2][0][row_of[h]], &s.part[n % 2][1][row_of[h]], &s.part[n % 2][2][row_of[h]]};
      const float max = Larger()(part[0]->max, Larger()(part[1]->max, part[2]->max));
      float sum = 0, of_target = 0;
#pragma unroll
      for (int g = 0; g < 3; ++g) {
        sum += part[g]->sum * Exp::move(part[g]->max, base_of(max));
        of_target += part[g]->of_target;
      }
      if constexpr (Result::kIsLoss) {
        const int64_t row = tile * kTile + row_of[h];
        if (group == 0 && lane % 4 == 0 && row < rows) {
          const float log_sum = std::log(sum);
          result.logsumexp[row] = max + log_sum;
          result.loss[row] = target[h] == result.ignore_index ? 0 : max - of_target + log_sum;
        }
      } else {
        const float factor = Exp::move(mine[h].max, base_of(max)) / sum;
        T* const to = s.p + row_of[h] * out + group * kColumns;
#pragma unroll
        for (int i = 2 * h; i < kSums; i += 4)
          if (Result::kWhole || group * kColumns + i / 4 * 8 < out)  // out is a multiple of 8
            *reinterpret_cast<uint32_t*>(to + wgmma_column(i)) = rounded_pair<T>(z[i] * factor, z[i + 1] * factor);
      }
    }
    if constexpr (!Result::kIsLoss) {
      fence_proxy_async();
      named_barrier(1 + warp, 3 * 32);
      const int64_t first = tile * kTile + warp * 16, here = min(int64_t{16}, rows - first);
      if (starts_copies && here > 0) {
        bulk_store(result.p + first * out, s.p + warp * 16 * out, static_cast<uint32_t>(here * out * sizeof(T)));
        bulk_commit();
      }
    }
  }
  if (!Result::kIsLoss && starts_copies) bulk_wait<0>();
}

template <class T, class Result>
void launch(const LmHeadCall& a, const void* bias, Result result) {
  const int64_t tiles = (a.rows + kTile - 1) / kTile;
  GB_LAUNCH((forward_kernel<T, Result>), static_cast<unsigned>(std::min<int64_t>(tiles, multiprocessors())),
            kThreads, sizeof(Shared<T>) + 1024, a.stream, result, map_of_x(a), map_of_weight(a),
            static_cast<const T*>(bias), a.rows, static_cast<int>(a.out));
}
template <class T>
void launch_forward(const LmHeadArgs& a) {
  T* const p = static_cast<T*>(a.p);
  if (a.out == 3 * kColumns)
    launch<T>(a, a.bias, Probabilities<T, true>{p});
  else
    launch<T>(a, a.bias, Probabilities<T, false>{p});
}

}  // namespace

bool takes(const LmHeadArgs& a) {
  return fits_hopper_head(a) && is_aligned(a.p) && may_share(sizeof(Shared<Half>) + 1024);
}
bool takes(const LinearCrossEntropyArgs& a) { return fits_hopper_head(a) && may_share(sizeof(Shared<Half>) + 1024); }
size_t scratch(const LmHeadArgs&) { return 0; }
size_t scratch(const LinearCrossEntropyArgs&) { return 0; }

void run(const LmHeadArgs& a) {
  if (a.dtype == kHalf)
    launch_forward<Half>(a);
  else
    launch_forward<BFloat16>(a);
}
void run(const LinearCrossEntropyArgs& a) {
  const Loss loss{static_cast<float*>(a.loss), static_cast<float*>(a.logsumexp), a.target, a.ignore_index};
  if (a.dtype == kHalf)
    launch<Half>(a, a.bias, loss);
  else
    launch<BFloat16>(a, a.bias, loss);
}

}  // namespace gb::cuda::lm_head_03_wgmma
