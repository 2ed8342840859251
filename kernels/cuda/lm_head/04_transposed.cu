// LM head, rung 4: z^T = W x^T. Changed: W is the operand of 64 rows, so a warpgroup has few rows of x, and works alone.
//
// Rung 3 needs all three warpgroups for a tile of 64 rows of x: they wait for each other twice, and so do all the same
// thing at the same time. Here W [640, 64], ten blocks of 64 of its rows, is the first operand, and a tile is 24 rows of x,
// the second: m64n24 products, 120 sums in a thread's registers. Only the four warps of a warpgroup share a tile. One
// warpgroup's products, another's exponentials and the third's stores run at the same time.
//
// A thread has 20 columns j of each of 6 rows of x. Its warp agrees on their (m, sum) by shuffles, the four warps by one
// exchange through shared memory. Then p: neighbours in registers are neighbours of a column, which stmatrix turns as it
// writes p [24, out] as it lies in memory; one bulk store takes it away, while the next tile is multiplied.
//
//   clocks for a tile of 24 rows (bfloat16)     memory, at 1/132 of 4.25 TB/s   1690
//                                               shared memory, most of it W     1350
//                                               e^x, 16 for each clock           960
//                                               product                          900
#include <algorithm>

#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/instructions/named_barrier.h"
#include "kernels/cuda/instructions/stmatrix.h"
#include "kernels/cuda/instructions/tma.h"
#include "kernels/cuda/instructions/wgmma.h"
#include "kernels/cuda/lm_head/hopper_head.h"
#include "kernels/cuda/lm_head/rungs.h"
#include "kernels/cuda/softmax/formula.h"
#include "kernels/cuda/softmax/online.h"

namespace gb::cuda::lm_head_04_transposed {
namespace {

constexpr int kRows = 24, kGroups = 3;  // rows of x in a tile; warpgroups, each with tiles of its own
constexpr int kStages = 4;              // tiles of x of a warpgroup that are there or on their way
constexpr int kBlocks = 10, kOut = 64 * kBlocks, kBox = 160;  // rows of W: in all; in a box of the copy engine
constexpr int kThreads = 128 * kGroups, kMine = kRows / 4;    // rows of x of which a thread has sums
constexpr bool kTurns = true;

// What a warp knows of a row, or a thread.
struct Part {
  float max, sum;  // sum of e^(z - max)
};
struct alignas(16) TwoParts {  // of neighbouring rows
  Part row[2];
};

// One block's shared memory; at a multiple of 1024.
template <class T>
struct Shared {
  T w[kOut][kIn];                    // swizzled, as the copy engine lays it
  T x[kGroups][kStages][kRows][kIn];  // swizzled
  alignas(128) T p[kGroups][kRows * kOut];         // [kRows][out], as in memory
  alignas(16) char nowhere[kThreads][16];  // takes what lies past out
  TwoParts part[kGroups][2][4][kRows / 2];  // of even tiles and odd ones, of each warp
  float of_target[kGroups][2][kRows];  // the loss: z at the target
  float bias[kOut];                        // -inf past out
  MBarrier w_is_there, x_is_there[kGroups][kStages], turn[kGroups];
};

using Exp = HalfRowExp;  // its rounding cancels: all of a row's exponentials are moved by Exp::move

template <class T>
struct Probabilities {
  static constexpr bool kIsLoss = false;
  T* p;  // [rows, out]
};
struct Loss {
  static constexpr bool kIsLoss = true;
  float *loss, *logsumexp;  // [rows]
  const int64_t* target;    // [rows]
  int64_t ignore_index;
};

// z at [block c / 2][row c % 2] of this thread's sums of row e. A tree of selections, one bit of c at each level: 19
// selections, where 20 comparisons would need 40 instructions.
__device__ __forceinline__ float chosen(const float (&z)[kBlocks][kRows / 2], int e, int c) {
  float level[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const int at = e / 2 * 4 + i % 2 * 2 + e % 2;
    level[i] = z[i / 2][at];
    if (i < 2 * kBlocks - 16) level[i] = c & 16 ? z[(8 + i / 2) % kBlocks][at] : level[i];
  }
#pragma unroll
  for (int k = 0; k < 4; ++k)
#pragma unroll
    for (int i = 0; i < 8; ++i)
      if (i < 8 >> k) level[i] = c & 8 >> k ? level[i + (8 >> k)] : level[i];
  return level[0];
}

// x: [rows, in] by map_x, boxes of kRows rows; weight: [out, in] by map_w, boxes of kBox rows; bias: [out] or null
template <class T, class Result>
__global__ void __launch_bounds__(kThreads, 1)
    forward_kernel(Result result, const __grid_constant__ TensorMap map_x, const __grid_constant__ TensorMap map_w,
                   const T* bias, int64_t rows, int out) {
  GB_EXTERN_SHARED(char, memory);
  Shared<T>& s = *reinterpret_cast<Shared<T>*>(align_shared(memory, 1024));
  const int thread = static_cast<int>(threadIdx.x);
  // By a shuffle, so that the compiler knows that a warp's lanes agree: else it waits after each product.
  const int group = __shfl_sync(kAllLanes, thread / 128, 0), warp = thread / 32 % 4, lane = thread % 32;
  const bool starts_copies = thread % 128 == 0;  // of its warpgroup
  // All warpgroups go round equally often, so that products are started in step; past the last tile they are given zeros.
  const int64_t per_round = static_cast<int64_t>(gridDim.x) * kGroups * kRows;
  const int rounds = static_cast<int>((rows - static_cast<int64_t>(blockIdx.x) * kRows + per_round - 1) / per_round);
  if (thread == 0) {
    s.w_is_there.init(1);
    for (int g = 0; g < kGroups; ++g) {
      s.turn[g].init(4);
      for (int i = 0; i < kStages; ++i) s.x_is_there[g][i].init(1);
    }
    fence_mbarrier_init();
  }
  for (int j = thread; j < kOut; j += kThreads)
    s.bias[j] = j >= out ? -INFINITY : bias ? static_cast<float>(bias[j]) : 0;
  __syncthreads();

  const auto tile_number = [&](int n) {  // of this warpgroup's tile n
    return blockIdx.x + (static_cast<int64_t>(n) * kGroups + group) * gridDim.x;
  };
  const auto load_x = [&](int n) {
    if (n >= rounds) return;
    const int64_t tile = tile_number(n);
    s.x_is_there[group][n % kStages].arrive_expect_tx(sizeof s.x[0][0]);
    tma_load(s.x[group][n % kStages], &map_x, &s.x_is_there[group][n % kStages], 0, static_cast<int>(tile * kRows));
  };
  if (thread == 0) {
    s.w_is_there.arrive_expect_tx(sizeof s.w);
    for (int j = 0; j < kOut; j += kBox) tma_load(s.w[j], &map_w, &s.w_is_there, 0, j);
  }
  if (starts_copies)
    for (int n = 0; n < kStages; ++n) load_x(n);

  const uint64_t of_w = wgmma_descriptor(s.w, Swizzle::Bytes128, 0, kEightRows);
  // Where stmatrix puts line lane % 8 of piece lane / 8: of two blocks, the upper and the lower eight columns.
  const int first_column = lane / 16 * 64 + warp * 16 + lane / 8 % 2 * 8;
  T* const first_line = s.p[group] + lane % 8 * out + first_column;
  s.w_is_there.wait(0);
  for (int n = 0; n < rounds; ++n) {
    const int64_t tile = tile_number(n);
    const int stage = n % kStages;
    int target = -1;  // the loss: of row `lane` of the tile; it comes while the warp waits for x
    if constexpr (Result::kIsLoss) {
      if (lane < kRows && tile * kRows + lane < rows) {
        const int64_t here = result.target[tile * kRows + lane];
        target = here == result.ignore_index ? -1 : static_cast<int>(here);
      }
    }
    if (kTurns) s.turn[group].wait((group == 0 ? n + 1 : n) % 2);
    s.x_is_there[group][stage].wait(n / kStages % 2);
    float z[kBlocks][kRows / 2];  // [j, x's row]
    const uint64_t of_x = wgmma_descriptor(s.x[group][stage], Swizzle::Bytes128, 0, kEightRows);
    wgmma_fence();
#pragma unroll
    for (int k = 0; k < kIn * 2; k += 32)
#pragma unroll
      for (int b = 0; b < kBlocks; ++b)
        wgmma<kRows, T>(z[b], advance(of_w, b * 8 * kEightRows + k), advance(of_x, k), k > 0);
    wgmma_commit();
    if (kTurns && lane == 0) s.turn[(group + 1) % kGroups].arrive();
    wgmma_wait<0>();
#pragma unroll
    for (int b = 0; b < kBlocks; ++b) {
      const float upper = s.bias[b * 64 + wgmma_row(0)], lower = s.bias[b * 64 + wgmma_row(2)];
      wgmma_wait<0>(z[b]);
#pragma unroll
      for (int i = 0; i < kRows / 2; ++i) z[b][i] += i / 2 % 2 ? lower : upper;
    }

    if constexpr (Result::kIsLoss) {
#pragma unroll
      for (int e = 0; e < kMine; ++e) {
        const int row = e / 2 * 8 + lane % 4 * 2 + e % 2;
        const int here = __shfl_sync(kAllLanes, target, row);
        const float of_target = chosen(z, e, here / 64 * 2 + here / 8 % 2);
        if (here >= 0 && here % 8 == lane / 4 && here / 16 % 4 == warp) s.of_target[group][n % 2][row] = of_target;
      }
    }
    Part mine[kMine];
#pragma unroll
    for (int e = 0; e < kMine; ++e) {
      mine[e] = {-INFINITY, 0};
      const int at = e / 2 * 4 + e % 2;
#pragma unroll
      for (int b = 0; b < kBlocks; ++b) mine[e].max = Larger()(mine[e].max, Larger()(z[b][at], z[b][at + 2]));
    }
#pragma unroll
    for (int e = 0; e < kMine; ++e)
#pragma unroll
      for (int distance = 4; distance < 32; distance *= 2)  // eight lanes share a row
        mine[e].max = Larger()(mine[e].max, __shfl_xor_sync(kAllLanes, mine[e].max, distance));
#pragma unroll
    for (int e = 0; e < kMine; ++e) {
      const float base = base_of(mine[e].max);
#pragma unroll
      for (int b = 0; b < kBlocks; ++b)
#pragma unroll
        for (int at = e / 2 * 4 + e % 2, end = at + 4; at < end; at += 2) {
          z[b][at] = Exp::of(z[b][at], base);
          mine[e].sum += z[b][at];
        }
    }
#pragma unroll
    for (int e = 0; e < kMine; ++e)
#pragma unroll
      for (int distance = 4; distance < 32; distance *= 2)
        mine[e].sum += __shfl_xor_sync(kAllLanes, mine[e].sum, distance);
    TwoParts(*const part)[kRows / 2] = s.part[group][n % 2];
#pragma unroll
    for (int e = 0; e < kMine; e += 2)  // each eighth of the lanes writes two rows
      if (lane / 4 == e / 2) part[warp][e * 2 + lane % 4] = {{mine[e], mine[e + 1]}};
    if (!Result::kIsLoss && starts_copies) bulk_wait_read<0>();  // the place of p is free again
    named_barrier(1 + group, 128);
    if (starts_copies) load_x(n + kStages);  // all four warps have multiplied

    // A lane finishes one row: the one of this number of those that its four lanes share.
    const int row = lane / 8 * 8 + lane % 4 * 2 + lane / 4 % 2;
    if constexpr (Result::kIsLoss) {
      if (warp != n % 4 || row >= kRows) continue;
      if (tile * kRows + row >= rows) continue;
    }
    float max = -INFINITY, sum = 0, factor_of_row = 0;
    if (row < kRows) {
#pragma unroll
      for (int w = 0; w < 4; ++w) max = Larger()(max, part[w][row / 2].row[row % 2].max);
#pragma unroll
      for (int w = 0; w < 4; ++w) sum += part[w][row / 2].row[row % 2].sum * Exp::move(part[w][row / 2].row[row % 2].max, base_of(max));
      factor_of_row = Exp::move(part[warp][row / 2].row[row % 2].max, base_of(max)) / sum;
    }
    if constexpr (Result::kIsLoss) {
      const float log_sum = std::log(sum);
      const int64_t at = tile * kRows + row;
      result.logsumexp[at] = max + log_sum;
      result.loss[at] = result.target[at] == result.ignore_index ? 0 : max - s.of_target[group][n % 2][row] + log_sum;
    } else {
      float factor[kMine];
#pragma unroll
      for (int e = 0; e < kMine; ++e) factor[e] = __shfl_sync(kAllLanes, factor_of_row, e * 4 + lane % 4);
#pragma unroll
      for (int b = 0; b < kBlocks; b += 2) {
        const bool inside = first_column + b * 64 < out;
#pragma unroll
        for (int e = 0; e < kMine; e += 2) {
          uint32_t piece[4];
#pragma unroll
          for (int q = 0; q < 4; ++q) {
            const float* const pair = &z[b + q / 2][e * 2 + q % 2 * 2];
            piece[q] = rounded_pair<T>(pair[0] * factor[e], pair[1] * factor[e + 1]);
          }
          stmatrix_trans(inside ? static_cast<void*>(first_line + e * 4 * out + b * 64) : s.nowhere[thread], piece);
        }
      }
      fence_proxy_async();
      named_barrier(1 + group, 128);
      const int64_t here = min(int64_t{kRows}, rows - tile * kRows);
      if (starts_copies && here > 0) {
        bulk_store(result.p + tile * kRows * out, s.p[group], static_cast<uint32_t>(here * out * sizeof(T)));
        bulk_commit();
      }
    }
  }
  if (!Result::kIsLoss && starts_copies) bulk_wait<0>();
}

template <class T, class Result>
void launch(const LmHeadCall& a, const void* bias, Result result) {
  const int64_t tiles = (a.rows + kRows - 1) / kRows;
  GB_LAUNCH((forward_kernel<T, Result>), static_cast<unsigned>(std::min<int64_t>(tiles, multiprocessors())),
            kThreads, sizeof(Shared<T>) + 1024, a.stream, result, map_of_rows(a, a.x, a.rows, kRows),
            map_of_rows(a, a.weight, a.out, kBox), static_cast<const T*>(bias), a.rows, static_cast<int>(a.out));
}

bool fits(const LmHeadCall& a) {
  return (a.dtype == kHalf || a.dtype == kBFloat16) && a.in <= kIn && a.out <= kOut && a.out % 8 == 0 &&
         a.rows <= (int64_t{1} << 30) && can_map(a.dtype, a.x, a.in, a.in) &&
         can_map(a.dtype, a.weight, a.in, a.in) && is_hopper() && may_share(sizeof(Shared<Half>) + 1024);
}

}  // namespace

bool takes(const LmHeadArgs& a) { return fits(a) && is_aligned(a.p); }
bool takes(const LinearCrossEntropyArgs& a) { return fits(a); }
size_t scratch(const LmHeadArgs&) { return 0; }
size_t scratch(const LinearCrossEntropyArgs&) { return 0; }

void run(const LmHeadArgs& a) {
  if (a.dtype == kHalf)
    launch<Half>(a, a.bias, Probabilities<Half>{static_cast<Half*>(a.p)});
  else
    launch<BFloat16>(a, a.bias, Probabilities<BFloat16>{static_cast<BFloat16*>(a.p)});
}
void run(const LinearCrossEntropyArgs& a) {
  const Loss loss{static_cast<float*>(a.loss), static_cast<float*>(a.logsumexp), a.target, a.ignore_index};
  if (a.dtype == kHalf)
    launch<Half>(a, a.bias, loss);
  else
    launch<BFloat16>(a, a.bias, loss);
}

}  // namespace gb::cuda::lm_head_04_transposed
