// Linear, rung 8: tiles of warps. Changed: a level between block and thread, and nothing that ever waits for a load.
//
//   * A warp owns a square part of the block's tile, a thread up to 8 x 16 sums of it: 6 loads of 16 bytes serve 128
//     products.
//   * The fragments of step p + 1 are loaded while those of step p are multiplied: also across the barrier, since a
//     tile is waited for two steps before its first product.
//   * Two tiles or more are under way, where rung 7 has one. What brings them is spread over the steps of the loop,
//     without a branch between, so that the compiler mixes it with the products.
//   * An operand along k is turned in registers (held_tile.h), which takes half the instructions.
//   * Products follow one another so that each shares a factor with the last (thread_tile.h).
//   * Blocks that run together take tiles that lie together (part_of_block), and share a tile by parts of k where whole
//     tiles would leave multiprocessors without work (split_k.h).
// Which shape for which call stands in one table, kShapes. The top rung for float32 that is multiplied as float32.
#include "kernels/cuda/linear/async_tile.h"
#include "kernels/cuda/linear/held_tile.h"
#include "kernels/cuda/linear/rungs.h"
#include "kernels/cuda/linear/shapes.h"
#include "kernels/cuda/linear/split_k.h"
#include "kernels/cuda/linear/thread_tile.h"

namespace gb::cuda::linear_08_warp_tile {
namespace {

struct Shape {
  int block_m, block_n, warp_m, warp_n;  // elements of d
  int lanes_m;                           // of the warp's lanes stand one below the other, 32 / lanes_m side by side
  int depth, stages;                     // of a tile along k; tiles in shared memory
  int blocks;                            // of a multiprocessor at the same time
  int rate;                              // per cent of the arithmetic that it reaches where it has enough to do

  __host__ __device__ constexpr int lanes_n() const { return 32 / lanes_m; }
  __host__ __device__ constexpr int warps_n() const { return block_n / warp_n; }
  __host__ __device__ constexpr int threads() const { return block_m / warp_m * warps_n() * 32; }
  __host__ __device__ constexpr int groups_m() const { return warp_m / lanes_m / 4; }  // of four lines, of each thread
  __host__ __device__ constexpr int groups_n() const { return warp_n / lanes_n() / 4; }
  __host__ __device__ constexpr int stage_floats() const { return depth * (block_m + kPad + block_n + kPad); }
  constexpr size_t shared_bytes() const { return sizeof(float) * static_cast<size_t>(stages * stage_floats()); }
};

// The candidates; best_shape (split_k.h) chooses. `rate` as measured on an H200, of the 67 TFLOP/s of its data sheet.
// [anchor: shapes]
constexpr Shape kShapes[] = {
    {128, 128, 64, 64, 8, 8, 3, 2, 75},  // large: 8 x 16 sums per thread
    {128, 64, 64, 32, 8, 8, 4, 3, 69},   // n of 64 (dX, dW of a narrow layer), or too few tiles: 8 x 8 sums
    {64, 64, 32, 32, 8, 8, 4, 4, 59},    // small: 4 x 8 sums
};

// d of a thread, row by row. A bias is loaded once for all rows, any other c a row at a time: loads that stand between
// stores would be waited for one by one.
template <int kA, int kB>
__device__ void store_sums(float (&sum)[4 * kA][4 * kB], const SplitProduct<float>& g, int64_t l, int64_t i0,
                           int apart_i, int64_t j0, int apart_j) {
  const Epilogue<float>& epilogue = g.epilogue;
  float c[4 * kB] = {};
  const auto load_c = [&](int64_t i) {
#pragma unroll
    for (int e = 0; e < 4 * kB; ++e) {
      const int64_t j = j0 + e / 4 * apart_j + e % 4;
      if (j < g.n) c[e] = epilogue.beta_c(l, i, j);
    }
  };
  const bool adds = !g.partial && epilogue.beta != 0, bias = adds && epilogue.row_stride == 0;
  const float alpha = g.partial ? 1 : epilogue.alpha;
  if (bias) load_c(0);
#pragma unroll
  for (int r = 0; r < 4 * kA; ++r) {
    const int64_t i = i0 + r / 4 * apart_i + r % 4;
    if (i >= g.m) continue;
    if (adds && !bias) load_c(i);
#pragma unroll
    for (int e = 0; e < 4 * kB; ++e) sum[r][e] = alpha * sum[r][e] + c[e];
    if (!g.partial && epilogue.activation != Activation::None) {
#pragma unroll
      for (int e = 0; e < 4 * kB; ++e) sum[r][e] = epilogue.activate(sum[r][e]);
    }
#pragma unroll
    for (int h = 0; h < kB; ++h) g.template store_rounded<4>(&sum[r][4 * h], l, i, j0 + h * apart_j);
  }
}

template <int kThreads, int kLines, int kDepth, bool kAlongK>
using ComingTile = std::conditional_t<kAlongK, HeldTile<kThreads, kLines, kDepth>,
                                      AsyncTile<kThreads, kLines, kDepth, false>>;

template <int kShape, bool kAAlongK, bool kBAlongK>
__global__ void __launch_bounds__(kShapes[kShape].threads(), kShapes[kShape].blocks)
    gemm_kernel(SplitProduct<float> g) {
  constexpr Shape S = kShapes[kShape];
  constexpr int kThreads = S.threads(), kDepth = S.depth, kStages = S.stages, kBehind = kStages - 1;
  constexpr int kPitchA = S.block_m + kPad, kPitchB = S.block_n + kPad, kStage = S.stage_floats();
  constexpr int kGroupsM = S.groups_m(), kGroupsN = S.groups_n();
  constexpr int kApartM = S.lanes_m * 4, kApartN = S.lanes_n() * 4;  // from a group of a thread's lines to the next
  GB_EXTERN_SHARED(float, shared);  // [stage]([p][line of a], [p][line of b])
  const auto at = g.part_of_block(S.block_m, S.block_n);
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  // Lanes i and i ^ 2 read the same of a, i and i ^ 1 the same of b: shared memory serves such a load in two parts,
  // else in four.
  const int lane_m = lane / (2 * S.lanes_n()) * 2 + lane % 2, lane_n = lane / 2 % S.lanes_n();
  const int row = warp / S.warps_n() * S.warp_m + lane_m * 4, col = warp % S.warps_n() * S.warp_n + lane_n * 4;

  ComingTile<kThreads, S.block_m, kDepth, kAAlongK> a(g.a, at.l, at.first_row, at.begin, at.end);
  ComingTile<kThreads, S.block_n, kDepth, kBAlongK> b(g.b, at.l, at.first_col, at.begin, at.end);
  const auto begin_tile = [&](int stage) {
    a.begin_tile(shared + stage);
    b.begin_tile(shared + stage + kDepth * kPitchA);
  };
  const auto start_part = [&](int stage, int part) {
    a.start_part(shared + stage, part);
    b.start_part(shared + stage + kDepth * kPitchA, part);
    if (part + 1 == kParts) cp_async_commit();  // an empty group past the end: the waits count groups
  };
  const auto end_tile = [&] {
    a.end_tile();
    b.end_tile();
  };
  Fragment<kGroupsM> of_a[2];
  Fragment<kGroupsN> of_b[2];
  const auto load = [&](int stage, int p) {
    of_a[p % 2].load(shared + stage + p * kPitchA + row, kApartM);
    of_b[p % 2].load(shared + stage + kDepth * kPitchA + p * kPitchB + col, kApartN);
  };

  float sum[4 * kGroupsM][4 * kGroupsN] = {};
  for (int tile = 0; tile < kBehind; ++tile) {
    begin_tile(tile * kStage);
#pragma unroll
    for (int part = 0; part < kParts; ++part) start_part(tile * kStage, part);
    end_tile();
  }
  cp_async_wait<kBehind - 1>();
  __syncthreads();
  load(0, 0);
  int stage = 0, free = kBehind * kStage;  // where the tile lies that is multiplied, and the one before it
  const int tiles = (at.end - at.begin + kDepth - 1) / kDepth;
  for (int tile = 0; tile < tiles; ++tile) {
    // [anchor: pipeline]
    begin_tile(free);
#pragma unroll
    for (int p = 0; p < kDepth; ++p) {
      load(stage, (p + 1) % kDepth);
      if (p + 2 == kDepth) {
        cp_async_wait<kBehind - 1>();  // the next tile is there,
        __syncthreads();               // of all threads; and all of this one is in fragments
        free = stage;
        stage = stage < kBehind * kStage ? stage + kStage : 0;
      }
      if (p < kParts) start_part(free, p);  // of the tile that comes kBehind later
      add_outer_product(sum, of_a[p % 2], of_b[p % 2]);
    }
    end_tile();
  }
  store_sums<kGroupsM, kGroupsN>(sum, g, at.l_of_store, at.first_row + row, kApartM, at.first_col + col, kApartN);
}

template <int kShape>
void gemm_in(const GemmArgs& args, StreamHandle stream) {
  constexpr const Shape& S = kShapes[kShape];
  const int64_t tiles = args.batch * tiles_over(args.m, S.block_m) * tiles_over(args.n, S.block_n);
  const int64_t room = int64_t{multiprocessors()} * S.blocks;
  const SplitProduct<float> product(args, splits_for(tiles, room, args.k, S.depth));
  run_split(product, stream, [&](const SplitProduct<float>& g) {
    const auto launch = [&](auto a_along_k, auto b_along_k) {
      GB_LAUNCH((gemm_kernel<kShape, a_along_k.value, b_along_k.value>), grid_of(g.splits * tiles),
                kShapes[kShape].threads(), kShapes[kShape].shared_bytes(), stream, g);
    };
    if (args.a.col_stride != 1)
      launch(std::false_type(), std::false_type());
    else if (args.b.row_stride != 1)
      launch(std::true_type(), std::false_type());
    else
      launch(std::true_type(), std::true_type());
  });
}

}  // namespace

bool takes(const GemmArgs& args) { return linear_07_double_buffer::takes(args); }

void gemm(const GemmArgs& args, StreamHandle stream) {
  // Of a Linear's products none has a along lines and b along k; it is computed as its transpose, and so not compiled.
  if (args.a.col_stride != 1 && args.b.row_stride == 1) return linear_08_warp_tile::gemm(transposed(args), stream);
  visit_row<std::size(kShapes)>(best_shape(kShapes, args, kShapes[0].depth),
                                [&](auto shape) { gemm_in<shape.value>(args, stream); });
}

}  // namespace gb::cuda::linear_08_warp_tile
