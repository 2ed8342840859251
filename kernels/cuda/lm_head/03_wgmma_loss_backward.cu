// LM head, rung 3, backward of the loss: x is read, dx is written; logits, p and dz are nowhere in memory.
//
// As 03_wgmma_backward.cu, but dz comes from logits that are multiplied again. One warpgroup has the registers for
// that: the fourth, which keeps only a tenth of dW. It makes the logits of 64 columns at a time, in one of two sets of
// sums while the tensor cores fill the other, and then dz = (e^(z - logsumexp) - [j == target]) dloss, rounded, into
// the place where all four warpgroups take it from. A quarter of a multiprocessor has one warp for that, so what counts
// is how many instructions an element takes: two multiply-adds and the exponential among eight.
//
//   clocks for a tile of 64 rows (bfloat16)     memory, at 1/132 of 4.25 TB/s     900
//                                               products, 77 kFLOP a row, thrice 3700
//                                               e^x of 640 columns, 16 a clock   2600
//                                               dz, an instruction a clock       2700
// dz and the two products that take it wait for each other; only the logits' product runs beside dz.
#include <algorithm>

#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/instructions/tma.h"
#include "kernels/cuda/lm_head/block_sums.h"
#include "kernels/cuda/lm_head/hopper_gradients_old.h"
#include "kernels/cuda/lm_head/rungs.h"
#include "kernels/cuda/softmax/formula.h"

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
__device__ inline LossRow row_of(const Losses& losses, int row, int rows) {
  if (row >= rows) return {0, 0, losses.ignore_index};
  return {losses.logsumexp[row], losses.grad_loss[row * losses.grad_loss_stride], static_cast<int>(losses.target[row])};
}

template <class T>
struct Shared {
  GradientTiles<T> tiles;
  alignas(8) float bias[kWeightRows];  // times log2(e); -inf past out
};

// Begins the logits of columns 64 c ... 64 c + 63, without bias.
template <class T>
__device__ void start_logits(float (&z)[kIn / 2], GradientTiles<T>& s, int stage, int c) {
  const uint64_t of_x = wgmma_descriptor(s.x[stage], Swizzle::Bytes128, 0, kEightRows);
  const uint64_t of_w = wgmma_descriptor(s.w[c * kBlockColumns], Swizzle::Bytes128, 0, kEightRows);
  wgmma_fence();
#pragma unroll
  for (int k = 0; k < kIn * 2; k += 32) wgmma<kBlockColumns, T>(z, advance(of_x, k), advance(of_w, k), k > 0);
  wgmma_commit();
}

// What a thread knows of one of its two rows.
struct ThreadRow {
  float shift, grad;  // -logsumexp, in units of log(2)
  int here;           // the target, less this thread's first column
  bool counts;
};

// From logits to dz. Were a store between loads of bias, the compiler could not move the load past it: so half a block
// is rounded in registers and then stored. The logits stay as they are: ptxas lets products run side by side only where
// nothing else writes their sums meanwhile.
template <class T>
__device__ void finish_dz(const float (&z)[kIn / 2], const ThreadRow (&row)[2], Shared<T>& s, int c) {
  char* const block = reinterpret_cast<char*>(s.tiles.dz[c]);
  constexpr int kSums = kIn / 4;  // of a half
#pragma unroll
  for (int first = 0; first < kIn / 2; first += kSums) {
    uint32_t words[kSums / 2];
#pragma unroll
    for (int i = first; i < first + kSums; i += 2) {
      const ThreadRow& of = row[i / 2 % 2];
      const float2 bias = *reinterpret_cast<const float2*>(&s.bias[c * kBlockColumns + wgmma_column(i)]);
      const auto dz = [&](float logit, float bias_of_it, int column) {  // the column, less this thread's first
        const float grad = exp2_flushed(fmaf(logit, kLog2E, bias_of_it + of.shift)) * of.grad;
        return column == of.here ? grad - of.grad : grad;
      };
      const int column = c * kBlockColumns + i / 4 * 8;
      words[(i - first) / 2] = rounded_pair<T>(dz(z[i], bias.x, column), dz(z[i + 1], bias.y, column + 1));
    }
#pragma unroll
    for (int i = first; i < first + kSums; i += 2) {
      const int r = wgmma_row(i);
      *reinterpret_cast<uint32_t*>(block + r * 128 + ((i / 4) ^ (r % 8)) * 16 + threadIdx.x % 4 * 4) =
          row[i / 2 % 2].counts ? words[(i - first) / 2] : 0;  // not grad * 0: a NaN of such a row goes nowhere
    }
  }
}

// grad_x: [rows, in]; partial: [gridDim.x, out * in + out]; x: [rows, in] by map_x; weight: [out, in] by map_w, boxes
// of kWeightBox rows; bias: [out] or null
template <class T>
__global__ void __launch_bounds__(kGradientThreads, 1)
    loss_backward_kernel(T* grad_x, float* partial, Losses losses, const __grid_constant__ TensorMap map_x,
                         const __grid_constant__ TensorMap map_w, const T* bias, int rows, int in, int out) {
  GB_EXTERN_SHARED(char, memory);
  Shared<T>& s = *reinterpret_cast<Shared<T>*>(align_shared(memory, 1024));
  const int thread = static_cast<int>(threadIdx.x);
  const int tiles = (rows + kTile - 1) / kTile;
  if (thread == 0) {
    s.tiles.w_is_there.init(1);
    for (MBarrier& barrier : s.tiles.x_is_there) barrier.init(1);
    fence_mbarrier_init();
  }
  for (int j = thread; j < kWeightRows; j += kGradientThreads) {
    s.tiles.db[j] = 0;
    s.bias[j] = j >= out ? -INFINITY : bias ? static_cast<float>(bias[j]) * kLog2E : 0;
  }
  __syncthreads();

  const auto load_x = [&](int n) {  // of this block's tile number n
    const int tile = static_cast<int>(blockIdx.x + n * gridDim.x);
    if (tile >= tiles) return;
    s.tiles.x_is_there[n % 2].arrive_expect_tx(sizeof s.tiles.x[0]);
    tma_load(s.tiles.x[n % 2], &map_x, &s.tiles.x_is_there[n % 2], 0, tile * kTile);
  };
  if (thread == 0) {
    s.tiles.w_is_there.arrive_expect_tx(sizeof s.tiles.w);
    for (int i = 0; i < 4; ++i) tma_load(s.tiles.w[i * kWeightBox], &map_w, &s.tiles.w_is_there, 0, i * kWeightBox);
    load_x(0);
    load_x(1);
  }
  LossRow next[2];  // of the next tile: this thread's two rows
  const auto load_rows = [&](int tile) {
#pragma unroll
    for (int h = 0; h < 2; ++h) next[h] = row_of(losses, tile * kTile + wgmma_row(2 * h), rows);
  };
  if (warpgroup() == 3) load_rows(static_cast<int>(blockIdx.x));
  s.tiles.w_is_there.wait(0);

  GradientSums sums = {};
  int n = 0;
  for (int tile = static_cast<int>(blockIdx.x); tile < tiles; tile += static_cast<int>(gridDim.x), ++n) {
    const int first = tile * kTile;
    s.tiles.x_is_there[n % 2].wait(n / 2 % 2);
    if (warpgroup() == 3) {
      ThreadRow row[2];
#pragma unroll
      for (int h = 0; h < 2; ++h)
        row[h] = {-next[h].logsumexp * kLog2E, next[h].grad, next[h].target - wgmma_column(0),
                  next[h].target != losses.ignore_index};
#pragma unroll
      for (int c = 0; c < kBlocks; c += 2) {
        start_logits(sums.dw[1], s.tiles, n % 2, c);
        start_logits(sums.dw[2], s.tiles, n % 2, c + 1);
        wgmma_wait<1>();
        finish_dz(sums.dw[1], row, s, c);
        wgmma_wait<0>();
        finish_dz(sums.dw[2], row, s, c + 1);
      }
      fence_proxy_async();
    }
    __syncthreads();
    if (warpgroup() == 3) load_rows(tile + static_cast<int>(gridDim.x));  // they come while the gradients are made
    add_gradients(sums, s.tiles, n % 2, grad_x, first, rows, in);
    __syncthreads();
    if (thread == 0) load_x(n + 2);
  }
  store_sums(sums, s.tiles, partial + blockIdx.x * (static_cast<int64_t>(out) * in + out), in, out);
}

unsigned blocks_of(const LmHeadCall& a) {
  return static_cast<unsigned>(std::min<int64_t>((a.rows + kTile - 1) / kTile, multiprocessors()));
}

template <class T>
void launch(const LinearCrossEntropyBackwardArgs& a) {
  const Losses losses{static_cast<const float*>(a.logsumexp), static_cast<const float*>(a.grad_loss),
                      a.grad_loss_stride, a.target, static_cast<int>(a.ignore_index)};
  GB_LAUNCH((loss_backward_kernel<T>), blocks_of(a), kGradientThreads, sizeof(Shared<T>) + 1024, a.stream,
            static_cast<T*>(a.grad_x), static_cast<float*>(a.scratch), losses, map_of_x(a),
            map_of_rows(a, a.weight, a.out, kWeightBox), static_cast<const T*>(a.bias), static_cast<int>(a.rows),
            static_cast<int>(a.in), static_cast<int>(a.out));
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
