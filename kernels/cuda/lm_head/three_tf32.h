// For rung 5: who has which logit, and the softmax of a tile of 24 rows of x by the four warps of a warpgroup.
//
// A warpgroup has the logits z^T [640, 24] of its tile: ten products m64n24 of W's rows. Of each block of 64 rows warp
// w has rows 16 w ... 16 w + 15, so a quarter of each row of logits; a thread has columns j = 64 b + 16 w + 8 h + lane
// / 4 (b < 10, h < 2) of rows 8 g + 2 (lane % 4) + {0, 1} (g < 3) of the tile.
#pragma once

#include <algorithm>

#include "kernels/cuda/instructions/wgmma.h"
#include "kernels/cuda/lm_head/hopper_head.h"
#include "kernels/cuda/softmax/formula.h"
#include "kernels/cuda/softmax/online.h"

namespace gb::cuda::lm_head_05_3xtf32 {

constexpr int kRows = 24, kGroups = 3;  // rows of x in a tile; warpgroups, each with tiles of its own
constexpr int kBlocks = 10, kOut = 64 * kBlocks;  // of 64 rows of W; its rows, more than `out`
constexpr int kThreads = 128 * kGroups, kMine = kRows / 4;    // threads; rows of x of which one has logits
using Logits = float[kBlocks][kRows / 2];
using Exp = RowExp<float>;

// The running thread; lanes of a warp agree on `group`, and the compiler knows it by the shuffle. (Else it waits after
// each product.)
struct Place {
  int group, warp, lane;
  __device__ Place()
      : group(__shfl_sync(kAllLanes, static_cast<int>(threadIdx.x) / 128, 0)),
        warp(static_cast<int>(threadIdx.x) / 32 % 4),
        lane(static_cast<int>(threadIdx.x) % 32) {}
  __device__ bool starts_copies() const { return threadIdx.x % 128 == 0; }       // of its warpgroup
  __device__ int row(int e) const { return e / 2 * 8 + lane % 4 * 2 + e % 2; }  // of x, of kMine
  __device__ int finished_row() const { return lane / 8 * 8 + lane % 4 * 2 + lane / 4 % 2; }  // row(lane / 4)
};

// The tiles are dealt round. All warpgroups of a block go as many rounds; past the last tile they are given zeros, and
// write nothing.
struct Deal {
  int64_t rows;
  int rounds;
  __device__ explicit Deal(int64_t of_x) : rows(of_x) {
    const int64_t of_round = static_cast<int64_t>(gridDim.x) * kGroups * kRows;
    rounds = static_cast<int>((rows - static_cast<int64_t>(blockIdx.x) * kRows + of_round - 1) / of_round);
  }
  __device__ int64_t first_row(int round, int group) const {
    return (blockIdx.x + (static_cast<int64_t>(round) * kGroups + group) * gridDim.x) * kRows;
  }
};

struct Probabilities {
  static constexpr bool kIsLoss = false;
  float* p;  // [rows, out]
};
struct Loss {
  static constexpr bool kIsLoss = true;
  float *loss, *logsumexp;  // [rows]
  const int64_t* target;    // [rows]
  int64_t ignore_index;

  // Of row `lane` of the tile; -1: none.
  __device__ int target_of(int64_t first_row, int lane, int64_t rows) const {
    if (lane >= kRows || first_row + lane >= rows) return -1;
    const int64_t here = target[first_row + lane];
    return here == ignore_index ? -1 : static_cast<int>(here);
  }
};

// What a thread, or a warp, knows of a row.
struct Part {
  float max, sum;  // sum of e^(z - max)
};
struct alignas(16) TwoParts {  // of neighbouring rows
  Part row[2];
};
// Shared memory of a warpgroup: of even rounds and odd ones.
struct Exchange {
  TwoParts part[2][4][kRows / 2];  // of each warp
  float of_target[2][kRows];       // the loss: z at the target
};

// bias: -inf past `out`. max: of this thread's rows.
__device__ __forceinline__ void add_bias(Logits& z, float (&max)[kMine], const float (&bias)[kOut]) {
#pragma unroll
  for (int b = 0; b < kBlocks; ++b) {
    const float upper = bias[b * 64 + wgmma_row(0)], lower = bias[b * 64 + wgmma_row(2)];
#pragma unroll
    for (int i = 0; i < kRows / 2; ++i) z[b][i] += i / 2 % 2 ? lower : upper;
#pragma unroll
    for (int e = 0; e < kMine; ++e) {
      const float here = Larger()(z[b][e / 2 * 4 + e % 2], z[b][e / 2 * 4 + e % 2 + 2]);
      max[e] = b == 0 ? here : Larger()(max[e], here);
    }
  }
}

// Logit c = 2 b + h of this thread's of row e. A tree of selections, one bit of c at each level: 19, where comparisons
// with each c would be 40 instructions.
__device__ __forceinline__ float chosen(const Logits& z, int e, int c) {
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
// target: of row `lane`. The one thread that has the logit says what it is.
__device__ inline void say_target(Exchange& s, const Logits& z, int target, int round, const Place& me) {
#pragma unroll
  for (int e = 0; e < kMine; ++e) {
    const int here = __shfl_sync(kAllLanes, target, me.row(e));
    const float of_target = chosen(z, e, here / 64 * 2 + here / 8 % 2);
    if (here >= 0 && here % 8 == me.lane / 4 && here / 16 % 4 == me.warp) s.of_target[round % 2][me.row(e)] = of_target;
  }
}

// z becomes e^(z - m), m being the warp's maximum, of `max` of its threads; what the warp knows of each row goes to s.
// A barrier follows.
__device__ __forceinline__ void exponentials(Exchange& s, Logits& z, float (&max)[kMine], int round, const Place& me) {
  float sum[kMine];
  // Eight lanes share a row. A step of all rows, then the next: the compiler keeps shuffles in the order written, and
  // those of one row wait for each other.
#pragma unroll
  for (int distance = 4; distance < 32; distance *= 2)
#pragma unroll
    for (int e = 0; e < kMine; ++e)
      max[e] = Larger()(max[e], __shfl_xor_sync(kAllLanes, max[e], distance));
#pragma unroll
  for (int e = 0; e < kMine; ++e) {
    const float base = base_of(max[e]);
    sum[e] = 0;
#pragma unroll
    for (int b = 0; b < kBlocks; ++b)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        float& here = z[b][e / 2 * 4 + h * 2 + e % 2];
        here = Exp::of(here, base);
        sum[e] += here;
      }
  }
#pragma unroll
  for (int distance = 4; distance < 32; distance *= 2)
#pragma unroll
    for (int e = 0; e < kMine; ++e) sum[e] += __shfl_xor_sync(kAllLanes, sum[e], distance);
#pragma unroll
  for (int e = 0; e < kMine; e += 2)  // each eighth of the lanes writes two rows
    if (me.lane / 4 == e / 2)
      s.part[round % 2][me.warp][e * 2 + me.lane % 4] = {{{max[e], sum[e]}, {max[e + 1], sum[e + 1]}}};
}

// After the barrier: (m, sum) of a row of the tile.
__device__ Part of_all_warps(const Exchange& s, int round, int row) {
  const TwoParts(*const part)[kRows / 2] = s.part[round % 2];
  Part all = {-INFINITY, 0};
#pragma unroll
  for (int w = 0; w < 4; ++w) all.max = Larger()(all.max, part[w][row / 2].row[row % 2].max);
#pragma unroll
  for (int w = 0; w < 4; ++w) {
    const Part& one = part[w][row / 2].row[row % 2];
    all.sum += one.sum * Exp::move(one.max, base_of(all.max));
  }
  return all;
}
// What the exponentials of this thread's rows must be multiplied by. Each lane finds it for one row.
__device__ __forceinline__ void find_factors(float (&factor)[kMine], const Exchange& s, int round, const Place& me) {
  float of_row = 0;
  if (const int row = me.finished_row(); row < kRows) {
    const Part all = of_all_warps(s, round, row);
    of_row = Exp::move(s.part[round % 2][me.warp][row / 2].row[row % 2].max, base_of(all.max)) / all.sum;
  }
#pragma unroll
  for (int e = 0; e < kMine; ++e) factor[e] = __shfl_sync(kAllLanes, of_row, e * 4 + me.lane % 4);
}
// One warp does it, each round another.
__device__ __forceinline__ void write_losses(const Loss& result, const Exchange& s, int round, const Place& me,
                                             int64_t first_row, int64_t rows) {
  const int row = me.finished_row();
  if (me.warp != round % 4 || row >= kRows || first_row + row >= rows) return;
  const Part all = of_all_warps(s, round, row);
  const float log_sum = std::log(all.sum);
  const int64_t at = first_row + row;
  result.logsumexp[at] = all.max + log_sum;
  result.loss[at] =
      result.target[at] == result.ignore_index ? 0 : all.max - s.of_target[round % 2][row] + log_sum;
}

// p from registers, as W leaves no place for it in shared memory: eight lanes write 32 bytes, mostly a whole sector.
__device__ __forceinline__ void store_floats(float* p, const Logits& z, const float (&factor)[kMine], const Place& me,
                                             int64_t first_row, int64_t rows, int out) {
  const int first_column = me.warp * 16 + me.lane / 4;
#pragma unroll
  for (int e = 0; e < kMine; ++e) {
    const int64_t row = first_row + me.row(e);
    float* const to = p + row * out + first_column;
    const int columns = row < rows ? out - first_column : 0;
#pragma unroll
    for (int b = 0; b < kBlocks; ++b)
#pragma unroll
      for (int h = 0; h < 2; ++h)
        if (b * 64 + h * 8 < columns) to[b * 64 + h * 8] = z[b][e / 2 * 4 + h * 2 + e % 2] * factor[e];
  }
}

}  // namespace gb::cuda::lm_head_05_3xtf32
