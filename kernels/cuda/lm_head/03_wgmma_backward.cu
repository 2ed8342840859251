// LM head, rung 3, backward: p and dp are read once, dx is written, and nothing else of 600 columns is in memory.
//
// A block stays, with W in shared memory and its part of dW in registers (hopper_gradients.h). For a tile of 64 rows
// each of its 16 warps makes four rows of dz: the copy engine brings p and dp of the warp's next row while it works on
// one, 2400 bytes for each warp, 38 KB on their way to each multiprocessor at any time. Then all of them multiply.
//
//   clocks for a tile of 64 rows (bfloat16)     memory, at 1/132 of 4.25 TB/s   9000
//                                               products                        2500
//                                               dz                              2000
#include <algorithm>

#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/instructions/tma.h"
#include "kernels/cuda/lm_head/block_sums.h"
#include "kernels/cuda/lm_head/hopper_gradients.h"
#include "kernels/cuda/lm_head/rungs.h"
#include "kernels/cuda/softmax/vectors.h"

namespace gb::cuda::lm_head_03_wgmma {
namespace {

constexpr int kWarps = kGradientThreads / 32;

template <class T>
struct Shared {
  GradientTiles<T> tiles;
  alignas(16) T row[kWarps][2][3 * kColumns];  // p and dp of each warp's next row
  MBarrier row_is_there[kWarps];
};

// dz of row r of the tile, by one warp: from p and dp of `out` elements.
template <class T>
__device__ void make_dz(GradientTiles<T>& s, const T* p, const T* dp, int r, int out) {
  const int lane = static_cast<int>(threadIdx.x) % 32, vectors = out / 8;
  float dot = 0;
#pragma unroll 1
  for (int v = lane; v < vectors; v += 32)
    dot += sum_of(load(p + v * 8), load(dp + v * 8), [](float y, float dy) { return y * dy; });
  dot = across_lanes<32>(dot, Plus());
#pragma unroll 1  // dW leaves few registers
  for (int v = lane; v < vectors; v += 32)
    store(reinterpret_cast<T*>(vector_of_dz(s, r, v)),
          changed(load(p + v * 8), load(dp + v * 8), [dot](float y, float dy) { return y * (dy - dot); }));
}

// grad_x: [rows, in]; partial: [gridDim.x, out * in + out]; p, grad_p: [rows, out]; x: [rows, in] by map_x; weight:
// [out, in] by map_w, boxes of kWeightBox rows
template <class T>
__global__ void __launch_bounds__(kGradientThreads, 1)
    backward_kernel(T* grad_x, float* partial, const T* p, const T* grad_p, const __grid_constant__ TensorMap map_x,
                    const __grid_constant__ TensorMap map_w, int rows, int in, int out) {
  GB_EXTERN_SHARED(char, memory);
  Shared<T>& s = *reinterpret_cast<Shared<T>*>(align_shared(memory, 1024));
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  const int tiles = (rows + kTile - 1) / kTile;
  if (thread == 0) {
    s.tiles.w_is_there.init(1);
    for (MBarrier& barrier : s.tiles.x_is_there) barrier.init(1);
    for (MBarrier& barrier : s.row_is_there) barrier.init(1);
    fence_mbarrier_init();
  }
  const uint4 zeros = {0, 0, 0, 0};
  for (int i = thread; i < static_cast<int>(sizeof s.tiles.dz / 16); i += kGradientThreads)
    reinterpret_cast<uint4*>(s.tiles.dz)[i] = zeros;  // the columns past out stay so
  for (int j = thread; j < kBlocks * kBlockColumns; j += kGradientThreads) s.tiles.db[j] = 0;
  __syncthreads();

  const auto load_x = [&](int n) {  // of this block's tile number n
    const int tile = static_cast<int>(blockIdx.x + n * gridDim.x);
    if (tile >= tiles) return;
    s.tiles.x_is_there[n % 2].arrive_expect_tx(sizeof s.tiles.x[0]);
    tma_load(s.tiles.x[n % 2], &map_x, &s.tiles.x_is_there[n % 2], 0, tile * kTile);
  };
  const auto load_row = [&](int row) {
    if (row >= rows) return;
    const uint32_t bytes = static_cast<uint32_t>(out * sizeof(T));
    s.row_is_there[warp].arrive_expect_tx(2 * bytes);
    bulk_load(s.row[warp][0], p + static_cast<int64_t>(row) * out, bytes, &s.row_is_there[warp]);
    bulk_load(s.row[warp][1], grad_p + static_cast<int64_t>(row) * out, bytes, &s.row_is_there[warp]);
  };
  if (thread == 0) {
    s.tiles.w_is_there.arrive_expect_tx(sizeof s.tiles.w);
    for (int i = 0; i < 4; ++i) tma_load(s.tiles.w[i * kWeightBox], &map_w, &s.tiles.w_is_there, 0, i * kWeightBox);
    load_x(0);
    load_x(1);
  }
  if (lane == 0) load_row(static_cast<int>(blockIdx.x) * kTile + warp);
  s.tiles.w_is_there.wait(0);

  GradientSums sums = {};
  int n = 0;
  for (int tile = static_cast<int>(blockIdx.x); tile < tiles; tile += static_cast<int>(gridDim.x), ++n) {
    const int first = tile * kTile;
#pragma unroll 1
    for (int r = warp; r < kTile; r += kWarps) {
      if (first + r < rows) {
        s.row_is_there[warp].wait(r / kWarps % 2);  // a warp has four rows of each tile, so it begins at parity 0 again
        make_dz(s.tiles, s.row[warp][0], s.row[warp][1], r, out);
        __syncwarp();  // all lanes have read the row
        const int next_tile = first + static_cast<int>(gridDim.x) * kTile;
        if (lane == 0) load_row(r + kWarps < kTile ? first + r + kWarps : next_tile + warp);
      } else {
        for (int v = lane; v < out / 8; v += 32) *reinterpret_cast<uint4*>(vector_of_dz(s.tiles, r, v)) = zeros;
      }
    }
    fence_proxy_async();
    __syncthreads();
    s.tiles.x_is_there[n % 2].wait(n / 2 % 2);
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
void launch(const LmHeadBackwardArgs& a) {
  GB_LAUNCH((backward_kernel<T>), blocks_of(a), kGradientThreads, sizeof(Shared<T>) + 1024, a.stream,
            static_cast<T*>(a.grad_x), static_cast<float*>(a.scratch), static_cast<const T*>(a.p),
            static_cast<const T*>(a.grad_p), map_of_x(a), map_of_rows(a, a.weight, a.out, kWeightBox),
            static_cast<int>(a.rows), static_cast<int>(a.in), static_cast<int>(a.out));
}

}  // namespace

bool takes(const LmHeadBackwardArgs& a) {
  return fits_hopper_head(a) && is_aligned(a.p) && is_aligned(a.grad_p) && is_aligned(a.grad_x) &&
         may_share(sizeof(Shared<Half>) + 1024);
}
size_t scratch(const LmHeadBackwardArgs& a) { return bytes_of_blocks(a, blocks_of(a)); }

void run(const LmHeadBackwardArgs& a) {
  if (a.dtype == kHalf)
    launch<Half>(a);
  else
    launch<BFloat16>(a);
  sum_blocks(a, a.grad_weight, a.grad_bias, blocks_of(a));
}

}  // namespace gb::cuda::lm_head_03_wgmma
