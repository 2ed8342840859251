// Linear, rung 4: a column of results per thread. Changed: one element of b from shared memory serves eight sums.
//
// A thread keeps 8 elements of d, one below the other, in registers. For each p it reads one element of b and 8 of a
// (which its warp shares: one read serves all lanes) and multiplies 8 times: 9 loads for 8 products, where rung 3 has
// 16. The block's tile grows to 64 x 64 with 512 threads, so memory is read half as often too.
#include "kernels/cuda/linear/rungs.h"
#include "kernels/cuda/linear/tile.h"

namespace gb::cuda::linear_04_register_column {
namespace {

constexpr int kTile = 64, kDepth = 8, kColumn = 8, kBlockThreads = kTile * kTile / kColumn;

template <class T>
__global__ void __launch_bounds__(kBlockThreads) gemm_kernel(Product<T> g) {
  using C = compute_t<T>;
  __shared__ C tile_a[kDepth][kTile + 1], tile_b[kDepth][kTile + 1];  // [p][line]
  const Place at = g.place(kTile, kTile);
  const int first_row = static_cast<int>(threadIdx.x) / kTile * kColumn, col = static_cast<int>(threadIdx.x) % kTile;

  C sum[kColumn] = {};
  for (int64_t p0 = 0; p0 < g.k; p0 += kDepth) {
    load_tile<kBlockThreads, kTile, kDepth>(tile_a, g.a, at.l, at.tile_i * kTile, p0, g.k);
    load_tile<kBlockThreads, kTile, kDepth>(tile_b, g.b, at.l, at.tile_j * kTile, p0, g.k);
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kDepth; ++p) {
      const C b = tile_b[p][col];
#pragma unroll
      for (int r = 0; r < kColumn; ++r) sum[r] += tile_a[p][first_row + r] * b;
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < kColumn; ++r) g.store(sum[r], at.l, at.tile_i * kTile + first_row + r, at.tile_j * kTile + col);
}

}  // namespace

void gemm(const GemmArgs& args, StreamHandle stream) {
  visit_floating(args.dtype, [&](auto zero) {
    using T = decltype(zero);
    const Product<T> g(args);
    GB_LAUNCH((gemm_kernel<T>), grid_of(args.batch * g.tiles(kTile, kTile)), kBlockThreads, 0, stream, g);
  });
}

}  // namespace gb::cuda::linear_04_register_column
