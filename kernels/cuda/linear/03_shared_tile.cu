// Linear, rung 3: tiles in shared memory. Changed: 32 x 32 threads read each element once for 32 of them.
//
// A block owns 32 x 32 elements of d, one per thread, and goes along k in steps of 32: it brings a tile of 32 lines of
// a and one of b into shared memory, all threads add up their 32 products from there, and so on. Memory is read 32
// times less than in rung 1. But two loads from shared memory for each multiplication is still more than a
// multiprocessor can feed: it multiplies 128 pairs a cycle and reads 32 words.
#include "kernels/cuda/linear/rungs.h"
#include "kernels/cuda/linear/tile.h"

namespace gb::cuda::linear_03_shared_tile {
namespace {

constexpr int kTile = 32, kBlockThreads = kTile * kTile;

template <class T>
__global__ void __launch_bounds__(kBlockThreads) gemm_kernel(Product<T> g) {
  using C = compute_t<T>;
  __shared__ C tile_a[kTile][kTile + 1], tile_b[kTile][kTile + 1];  // [p][line]
  const Place at = g.place(kTile, kTile);
  const int row = static_cast<int>(threadIdx.x) / kTile, col = static_cast<int>(threadIdx.x) % kTile;

  C sum = 0;
  for (int64_t p0 = 0; p0 < g.k; p0 += kTile) {
    load_tile<kBlockThreads, kTile, kTile>(tile_a, g.a, at.l, at.tile_i * kTile, p0, g.k);
    load_tile<kBlockThreads, kTile, kTile>(tile_b, g.b, at.l, at.tile_j * kTile, p0, g.k);
    __syncthreads();  // the tiles are there
#pragma unroll
    for (int p = 0; p < kTile; ++p) sum += tile_a[p][row] * tile_b[p][col];
    __syncthreads();  // nobody needs them any more
  }
  g.store(sum, at.l, at.tile_i * kTile + row, at.tile_j * kTile + col);
}

}  // namespace

void gemm(const GemmArgs& args, StreamHandle stream) {
  visit_floating(args.dtype, [&](auto zero) {
    using T = decltype(zero);
    const Product<T> g(args);
    GB_LAUNCH((gemm_kernel<T>), grid_of(args.batch * g.tiles(kTile, kTile)), kBlockThreads, 0, stream, g);
  });
}

}  // namespace gb::cuda::linear_03_shared_tile
