// LM head, rung 3, backward of the loss: x is read, dx is written; logits, p and dz are nowhere in memory.
//
// As 03_wgmma_backward.cu, but dz comes from logits that are multiplied again, by the warpgroup that makes dz: as
// z^T [out, 32] = W x^T, 64 columns of `out` at a time, in one of two sets of sums while it works on the other. From it
// dz = (e^(z - logsumexp) - [j == target]) dloss is rounded into shared memory, transposed as it is: two rows of a
// column side by side. A thread has two columns of each 64, in the same eight rows all along, so what it must know of a
// row stays in registers for a tile, and db for all tiles.
//
//   clocks for 32 rows (bfloat16)     memory, at 1/132 of 4.25 TB/s     450
//                                     products, 77 kFLOP a row, thrice 1900
//                                     e^x of 640 columns, 16 a clock   1300
//                                     dz, an instruction a clock       1600
//
// On an H200 a tile takes 3.0 us: 0.5 less without e^x, 0.7 less without the other two products. One warp in each
// quarter of a multiprocessor makes dz; a second one would need more registers than are left.
#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/lm_head/block_sums.h"
#include "kernels/cuda/lm_head/hopper_gradients.h"
#include "kernels/cuda/lm_head/rungs.h"
#include "kernels/cuda/softmax/formula.h"
#include "kernels/cuda/softmax/rows.h"

namespace gb::cuda::lm_head_03_wgmma {
namespace {

struct Losses {
  const float *logsumexp, *grad_loss;  // [rows]
  int64_t grad_loss_stride;
  const int64_t* target;  // [rows]; classes, and what is ignored, are ints: one register
  int ignore_index;
};

// A row as it comes from memory: nothing is made of it yet that would wait for it.
struct LossRow {
  float logsumexp, grad;
  int target;
};
__device__ inline LossRow row_of(const Losses& losses, int row, int last) {
  if (row >= last) return {0, 0, losses.ignore_index};
  return {losses.logsumexp[row], losses.grad_loss[row * losses.grad_loss_stride], static_cast<int>(losses.target[row])};
}
// And as the four warps take it.
struct alignas(16) SharedRow {
  float shift, grad;  // -logsumexp, in units of log(2)
  int target;
  uint32_t counts;    // a mask of 16 bits: 0 where the target is ignored
};

constexpr int kTiles = kWeightRows / 64;  // of 64 columns
constexpr int kSums = kRows / 2;          // of a thread, in such a tile

template <class T>
struct Shared {
  GradientTiles<T, DzByColumns> tiles;
  SharedRow row[kMakerWarps][kRows];   // each warp has its own
  float bias[kWeightRows];             // times log2(e); -inf past out
};

// Begins the logits of columns 64 c ... 64 c + 63, without bias.
template <class T>
__device__ void start_logits(float (&z)[kSums], Shared<T>& s, int stage, int c) {
  const uint64_t of_w = wgmma_descriptor(s.tiles.w[c * 64], Swizzle::Bytes128, 0, kEightRows);
  const uint64_t of_x = wgmma_descriptor(s.tiles.x[stage], Swizzle::Bytes128, 0, kEightRows);
  wgmma_fence();
#pragma unroll
  for (int k = 0; k < kIn * 2; k += 32) wgmma<kRows, T>(z, advance(of_w, k), advance(of_x, k), k > 0);
  wgmma_commit();
}

// What a thread knows of its eight rows: number i is row wgmma_column(i / 2 * 4 + i % 2) of the tile.
struct ThreadRows {
  float shift[8], grad[8];
  int here[8];         // the target, less this thread's first column
  uint32_t counts[4];  // of rows 2 i and 2 i + 1
};

// From logits to dz, and to the sums of its two columns over the thread's rows. All is rounded in registers before the
// first store, which the compiler could move no load past. The logits stay as they are: ptxas lets products run side by
// side only where nothing else writes their sums meanwhile.
template <class T>
__device__ void finish_dz(const float (&z)[kSums], const float (&bias)[2], const ThreadRows& row, float (&db)[2],
                          char* dz, int c) {
  uint32_t words[2][4];
#pragma unroll
  for (int h = 0; h < 2; ++h)  // this thread's columns: the first, and eight further on
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float of_row[2];
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const int r = 2 * i + e;
        const float grad = exp2_flushed(fmaf(z[4 * i + 2 * h + e], kLog2E, bias[h] + row.shift[r])) * row.grad[r];
        of_row[e] = row.here[r] == c * 64 + 8 * h ? grad - row.grad[r] : grad;
      }
      // Not grad * 0: a NaN of a row that does not count goes nowhere.
      words[h][i] = rounded_pair<T>(of_row[0], of_row[1]) & row.counts[i];
      const float2 rounded = pair_of<T>(words[h][i]);
      db[h] += rounded.x + rounded.y;
    }
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int h = 0; h < 2; ++h)
#pragma unroll
    for (int i = 0; i < 4; ++i)
      *reinterpret_cast<uint32_t*>(dz + (c * 64 + wgmma_row(2 * h)) * 64 + (i ^ (lane / 8)) * 16 + lane % 4 * 4) =
          words[h][i];
}

// The warps that make dz. mine: float [out], db of this block
template <class T>
__device__ void make_dz(Shared<T>& s, const Losses& losses, const TensorMap* map_x, float* mine, const BlockRows& rows,
                        int out) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = maker_warp();
  const bool leads = warp == 0 && lane == 0;
  LossRow next = row_of(losses, rows.first + lane, rows.last);  // of the next tile
  if (leads) load_x(s.tiles, map_x, rows, 0);
  if (leads) load_x(s.tiles, map_x, rows, 1);
  s.tiles.w_is_there.wait(0);
  float db[kTiles][2] = {};
  for (int n = 0; n < rows.tiles; ++n) {
    const int b = n % 2, stage = n % DzByColumns::kStages;
    s.tiles.dz_is_free[b].wait(n / 2 % 2 ^ 1);  // tile n - 2 has been multiplied, so its x has been read, too
    if (leads) load_x(s.tiles, map_x, rows, n + 2);
    __syncwarp();
    s.row[warp][lane] = {-next.logsumexp * kLog2E, next.grad, next.target,
                         next.target == losses.ignore_index ? 0 : 0xffffu};
    __syncwarp();
    next = row_of(losses, rows.first + (n + 1) * kRows + lane, rows.last);
    ThreadRows row;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const SharedRow& of = s.row[warp][wgmma_column(i / 2 * 4 + i % 2)];
      row.shift[i] = of.shift, row.grad[i] = of.grad, row.here[i] = of.target - wgmma_row(0);
      row.counts[i / 2] = i % 2 ? row.counts[i / 2] | of.counts << 16 : of.counts;
    }
    s.tiles.x_is_there[stage].wait(n / DzByColumns::kStages % 2);
    float z[2][kSums];
    start_logits(z[0], s, stage, 0);
#pragma unroll
    for (int c = 0; c < kTiles; ++c) {
      const float bias[2] = {s.bias[c * 64 + wgmma_row(0)], s.bias[c * 64 + wgmma_row(2)]};
      if (c + 1 < kTiles) {
        start_logits(z[(c + 1) % 2], s, stage, c + 1);
        wgmma_wait<1>(z[c % 2]);
      } else {
        wgmma_wait<0>(z[c % 2]);
      }
      finish_dz<T>(z[c % 2], bias, row, db[c], s.tiles.dz[b], c);
    }
    fence_proxy_async();
    __syncwarp();
    if (lane == 0) s.tiles.dz_is_there[b].arrive();
  }
#pragma unroll
  for (int c = 0; c < kTiles; ++c)
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const float sum = across_lanes<4>(db[c][h], Plus());  // four lanes share a column
      const int j = c * 64 + wgmma_row(2 * h);
      if (lane % 4 == 0 && j < out) mine[j] = sum;
    }
}

// grad_x: [rows, in]; partial: [gridDim.x, out * in + out]; x: [rows, in] by map_x, boxes of kRows rows; weight:
// [out, in] by map_w, boxes of kWeightBox rows; bias: [out] or null
template <class T>
__global__ void __launch_bounds__(kGradientThreads, 1)
    loss_backward_kernel(T* grad_x, float* partial, Losses losses, const __grid_constant__ TensorMap map_x,
                         const __grid_constant__ TensorMap map_w, const T* bias, int all_rows, int in, int out) {
  GB_EXTERN_SHARED(char, memory);
  Shared<T>& s = *reinterpret_cast<Shared<T>*>(align_shared(memory, 1024));
  const BlockRows rows(all_rows);
  if (threadIdx.x == 0) init_barriers(s.tiles);
  for (int j = static_cast<int>(threadIdx.x); j < kWeightRows; j += kGradientThreads)
    s.bias[j] = j >= out ? -INFINITY : bias ? static_cast<float>(bias[j]) * kLog2E : 0;
  __syncthreads();
  if (threadIdx.x == 0) load_w(s.tiles, &map_w);
  float* const mine = partial + blockIdx.x * (static_cast<int64_t>(out) * in + out);
  const int group = warpgroup();
  if (group == 2) {
    lower_registers<kMakerRegisters>();
    make_dz(s, losses, &map_x, mine + out * in, rows, out);
  } else if (group == 0) {
    raise_registers<kMultiplierRegisters[0]>();
    multiply<0>(s.tiles, grad_x, mine, rows, in, out);
  } else {
    raise_registers<kMultiplierRegisters[1]>();
    multiply<1>(s.tiles, grad_x, mine, rows, in, out);
  }
}

template <class T>
void launch(const LinearCrossEntropyBackwardArgs& a) {
  const Losses losses{static_cast<const float*>(a.logsumexp), static_cast<const float*>(a.grad_loss),
                      a.grad_loss_stride, a.target, static_cast<int>(a.ignore_index)};
  GB_LAUNCH((loss_backward_kernel<T>), blocks_of(a), kGradientThreads, sizeof(Shared<T>) + 1024, a.stream,
            static_cast<T*>(a.grad_x), static_cast<float*>(a.scratch), losses,
            map_of_rows(a, a.x, a.rows, kRows), map_of_rows(a, a.weight, a.out, kWeightBox),
            static_cast<const T*>(a.bias), static_cast<int>(a.rows), static_cast<int>(a.in), static_cast<int>(a.out));
}

}  // namespace

bool takes(const LinearCrossEntropyBackwardArgs& a) {
  return fits_hopper_head(a) && is_aligned(a.grad_x) && may_share(sizeof(Shared<Half>) + 1024) &&
         a.ignore_index == static_cast<int>(a.ignore_index);
}
size_t scratch(const LinearCrossEntropyBackwardArgs& a) { return bytes_of_blocks(a, blocks_of(a)); }

void run(const LinearCrossEntropyBackwardArgs& a) {
  if (a.dtype == kHalf)
    launch<Half>(a);
  else
    launch<BFloat16>(a);
  sum_blocks(a, a.grad_weight, a.grad_bias, blocks_of(a));
}

}  // namespace gb::cuda::lm_head_03_wgmma
