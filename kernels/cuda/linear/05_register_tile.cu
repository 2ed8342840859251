// Linear, rung 5: a square of results per thread. Changed: 8 + 8 loads from shared memory serve 64 products.
//
// A thread keeps 8 x 8 sums: the elements of d in which 8 lines of a meet 8 lines of b. A square needs the fewest
// loads for its products: this is the step at which arithmetic, not shared memory, begins to be the limit. A thread's
// lines lie 16 apart, so that at each load the 16 threads of a row of threads read 16 neighbouring words. The top rung
// for float64, and for whatever the rungs above refuse.
#include "kernels/cuda/linear/rungs.h"
#include "kernels/cuda/linear/tile.h"

namespace gb::cuda::linear_05_register_tile {
namespace {

constexpr int kTile = 128, kDepth = 8, kSide = 8, kAcross = kTile / kSide, kBlockThreads = kAcross * kAcross;

template <class T>
__global__ void __launch_bounds__(kBlockThreads) gemm_kernel(Product<T> g) {
  using C = compute_t<T>;
  __shared__ C tile_a[kDepth][kTile + 1], tile_b[kDepth][kTile + 1];  // [p][line]
  const Place at = g.place(kTile, kTile);
  const int first_row = static_cast<int>(threadIdx.x) / kAcross, first_col = static_cast<int>(threadIdx.x) % kAcross;

  C sum[kSide][kSide] = {};
  for (int64_t p0 = 0; p0 < g.k; p0 += kDepth) {
    load_tile<kBlockThreads, kTile, kDepth>(tile_a, g.a, at.l, at.tile_i * kTile, p0, g.k);
    load_tile<kBlockThreads, kTile, kDepth>(tile_b, g.b, at.l, at.tile_j * kTile, p0, g.k);
    __syncthreads();
    // [anchor: outer]
#pragma unroll
    for (int p = 0; p < kDepth; ++p) {
      C a[kSide], b[kSide];
#pragma unroll
      for (int r = 0; r < kSide; ++r) a[r] = tile_a[p][first_row + r * kAcross];
#pragma unroll
      for (int c = 0; c < kSide; ++c) b[c] = tile_b[p][first_col + c * kAcross];
#pragma unroll
      for (int r = 0; r < kSide; ++r)
#pragma unroll
        for (int c = 0; c < kSide; ++c) sum[r][c] += a[r] * b[c];
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < kSide; ++r)
#pragma unroll
    for (int c = 0; c < kSide; ++c)
      g.store(sum[r][c], at.l, at.tile_i * kTile + first_row + r * kAcross,
              at.tile_j * kTile + first_col + c * kAcross);
}

}  // namespace

void gemm(const GemmArgs& args, StreamHandle stream) {
  visit_floating(args.dtype, [&](auto zero) {
    using T = decltype(zero);
    const Product<T> g(args);
    GB_LAUNCH((gemm_kernel<T>), grid_of(args.batch * g.tiles(kTile, kTile)), kBlockThreads, 0, stream, g);
  });
}

}  // namespace gb::cuda::linear_05_register_tile
