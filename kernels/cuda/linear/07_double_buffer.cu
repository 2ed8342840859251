// Linear, rung 7: two buffers. Changed: while the threads multiply one tile, the next one is on its way.
//
// Until now a block stood still while its tile came. cp.async copies to shared memory past the registers and lets the
// thread go on; with two buffers the next tile comes during the products of this one. An operand along k is turned on
// the way, element by element, and so needs no alignment any more.
#include "kernels/cuda/linear/async_tile.h"
#include "kernels/cuda/linear/rungs.h"
#include "kernels/cuda/linear/shapes.h"
#include "kernels/cuda/linear/thread_tile.h"

namespace gb::cuda::linear_07_double_buffer {
namespace {

constexpr int kTile = 128, kDepth = 8, kBlockThreads = 256, kPitch = kTile + kPad;
constexpr size_t kSharedBytes = 2 * 2 * kDepth * kPitch * sizeof(float);  // two buffers of two tiles

template <bool kAAlongK, bool kBAlongK>
__global__ void __launch_bounds__(kBlockThreads, 2) gemm_kernel(Product<float> g) {
  GB_EXTERN_SHARED(float, shared);  // [buffer][operand][p][line]
  const Place at = g.place(kTile, kTile);
  const int row = static_cast<int>(threadIdx.x) / 16 * 4, col = static_cast<int>(threadIdx.x) % 16 * 4;
  AsyncTile<kBlockThreads, kTile, kDepth, kAAlongK> a(g.a, at.l, at.tile_i * kTile, 0, g.k);
  AsyncTile<kBlockThreads, kTile, kDepth, kBAlongK> b(g.b, at.l, at.tile_j * kTile, 0, g.k);
  const auto start = [&](int64_t tile) {
    if (tile * kDepth < g.k) {
      float* const buffer = shared + tile % 2 * 2 * kDepth * kPitch;
      a.start(buffer);
      b.start(buffer + kDepth * kPitch);
    }
    cp_async_commit();  // an empty group past the end: the wait below can count
  };

  float sum[8][8] = {};
  start(0);
  for (int64_t tile = 0; tile * kDepth < g.k; ++tile) {
    // [anchor: overlap]
    start(tile + 1);
    cp_async_wait<1>();  // all but the youngest group: this tile
    __syncthreads();     // of all threads
    const float* tile_a = shared + tile % 2 * 2 * kDepth * kPitch;
    const float* tile_b = tile_a + kDepth * kPitch;
#pragma unroll
    for (int p = 0; p < kDepth; ++p) {
      Fragment<2> of_a, of_b;
      of_a.load(tile_a + p * kPitch + row, kTile / 2);
      of_b.load(tile_b + p * kPitch + col, kTile / 2);
      add_outer_product(sum, of_a, of_b);
    }
    __syncthreads();  // the next start() overwrites it
  }
  store_thread_tile<2, 2>(sum, g, at.l, at.tile_i * kTile + row, kTile / 2, at.tile_j * kTile + col, kTile / 2);
}

}  // namespace

bool takes(const GemmArgs& args) {
  return args.dtype == kFloat && counts_in_int(args) && moves_async(args.a, args.a.row_stride, args.a.col_stride) &&
         moves_async(args.b, args.b.col_stride, args.b.row_stride);
}

void gemm(const GemmArgs& args, StreamHandle stream) {
  const Product<float> g(args);
  visit_directions(args, [&](auto a_along_k, auto b_along_k) {
    GB_LAUNCH((gemm_kernel<a_along_k.value, b_along_k.value>), grid_of(args.batch * g.tiles(kTile, kTile)),
              kBlockThreads, kSharedBytes, stream, g);
  });
}

}  // namespace gb::cuda::linear_07_double_buffer
