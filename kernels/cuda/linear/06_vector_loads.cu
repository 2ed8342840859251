// Linear, rung 6: 16-byte loads. Changed: four elements at a time from memory, from shared memory, and to memory.
//
// A load costs an instruction whether it brings 4 bytes or 16. From memory a thread brings four neighbours of an
// operand: along k they belong to one line and are turned, so that in shared memory element p of all lines lies in one
// piece; along lines they lie so already. From there a thread takes its eight lines of each operand as two groups of
// four: 4 loads for 64 products. float32 only, and operands whose lines begin at multiples of 16 bytes; the rung below
// serves the rest.
#include "kernels/cuda/linear/rungs.h"
#include "kernels/cuda/linear/shapes.h"
#include "kernels/cuda/linear/thread_tile.h"

namespace gb::cuda::linear_06_vector_loads {
namespace {

constexpr int kTile = 128, kDepth = 8, kBlockThreads = 256;
constexpr int kPitch = kTile + 4;  // 4 more, so that the four elements that a thread turns fall into different banks

// Four neighbours of an operand, `count` of which there are; the others are 0.
__device__ float4 load_four(const float* from, int64_t count) {
  if (count >= 4) return *reinterpret_cast<const float4*>(from);
  float four[4] = {};
#pragma unroll
  for (int e = 0; e < 4; ++e)
    if (e < count) four[e] = from[e];
  return make_float4(four[0], four[1], four[2], four[3]);
}

// tile: [kDepth][kPitch]. One load of each thread fills it.
template <bool kAlongK>
__device__ void load_tile(float* tile, const Lines<float>& x, int64_t l, int64_t first, int64_t p0, int64_t k) {
  static_assert(kTile * kDepth == 4 * kBlockThreads);
  const int thread = static_cast<int>(threadIdx.x);
  if constexpr (kAlongK) {
    const int line = thread / (kDepth / 4), p = thread % (kDepth / 4) * 4;
    const float4 four = load_four(x.line(l, first + line) + p0 + p, first + line < x.count ? k - (p0 + p) : 0);
    tile[(p + 0) * kPitch + line] = four.x;
    tile[(p + 1) * kPitch + line] = four.y;
    tile[(p + 2) * kPitch + line] = four.z;
    tile[(p + 3) * kPitch + line] = four.w;
  } else {
    const int p = thread / (kTile / 4), line = thread % (kTile / 4) * 4;
    const int64_t left = p0 + p < k ? x.count - (first + line) : 0;
    const float4 four = load_four(x.line(l, first + line) + (p0 + p) * x.step, left);
    *reinterpret_cast<float4*>(&tile[p * kPitch + line]) = four;
  }
}

template <bool kAAlongK, bool kBAlongK>
__global__ void __launch_bounds__(kBlockThreads, 2) gemm_kernel(Product<float> g) {
  alignas(16) __shared__ float tile_a[kDepth * kPitch], tile_b[kDepth * kPitch];  // [p][line]
  const Place at = g.place(kTile, kTile);
  const int row = static_cast<int>(threadIdx.x) / 16 * 4, col = static_cast<int>(threadIdx.x) % 16 * 4;

  float sum[8][8] = {};
  for (int64_t p0 = 0; p0 < g.k; p0 += kDepth) {
    load_tile<kAAlongK>(tile_a, g.a, at.l, at.tile_i * kTile, p0, g.k);
    load_tile<kBAlongK>(tile_b, g.b, at.l, at.tile_j * kTile, p0, g.k);
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kDepth; ++p) {
      Fragment<2> a, b;
      a.load(&tile_a[p * kPitch + row], kTile / 2);
      b.load(&tile_b[p * kPitch + col], kTile / 2);
      add_outer_product(sum, a, b);
    }
    __syncthreads();
  }
  store_thread_tile<2, 2>(sum, g, at.l, at.tile_i * kTile + row, kTile / 2, at.tile_j * kTile + col, kTile / 2);
}

}  // namespace

bool takes(const GemmArgs& args) {
  return args.dtype == kFloat && moves_vectors(args.a, args.a.row_stride, args.a.col_stride, args.dtype) &&
         moves_vectors(args.b, args.b.col_stride, args.b.row_stride, args.dtype);
}

void gemm(const GemmArgs& args, StreamHandle stream) {
  const Product<float> g(args);
  visit_directions(args, [&](auto a_along_k, auto b_along_k) {
    GB_LAUNCH((gemm_kernel<a_along_k.value, b_along_k.value>), grid_of(args.batch * g.tiles(kTile, kTile)),
              kBlockThreads, 0, stream, g);
  });
}

}  // namespace gb::cuda::linear_06_vector_loads
