// Linear, rung 9: tensor cores. Changed: a warp multiplies 16 x 8 x 16 elements with one instruction.
//
// mma.sync (mma_sync.h says which lane holds what) takes Half and BFloat16 as they are and sums in float; of float32 it
// takes the first 11 bits (TF32), and so only where args.allow_tf32. The shape of the kernel is that of rung 8: tiles
// on their way by cp.async, fragments loaded one step ahead, a sub-tile per warp. New is the tile in shared memory
// (mma_tile.h): it stays as it lay in memory, ldmatrix hands each lane its registers, turned where the operand lies
// along lines, and a swizzle keeps eight rows out of each other's banks. The instructions of Ampere: a Hopper runs
// them, at a third of what its own reach, which are the rungs from 10 on.
#include "kernels/cuda/linear/mma_tile.h"
#include "kernels/cuda/linear/rungs.h"
#include "kernels/cuda/linear/shapes.h"
#include "kernels/cuda/linear/split_k.h"

namespace gb::cuda::linear_09_mma_sync {
namespace {

struct Shape {
  int block_m, block_n, warp_m, warp_n;  // elements of d
  int stages;                            // tiles in shared memory
  int blocks;                            // of a multiprocessor at the same time
  int rate;                              // per cent of the arithmetic that it reaches where it has enough to do

  __host__ __device__ constexpr int warps_n() const { return block_n / warp_n; }
  __host__ __device__ constexpr int threads() const { return block_m / warp_m * warps_n() * 32; }
  __host__ __device__ constexpr int stage_bytes() const { return mma_tile_bytes(block_m) + mma_tile_bytes(block_n); }
  constexpr size_t shared_bytes() const { return static_cast<size_t>(stages * stage_bytes()) + 16; }
};

// The candidates; best_shape (split_k.h) chooses. What counts of the rates is their ratio, which is a guess.
// [anchor: shapes]
constexpr Shape kShapes[] = {
    {128, 128, 64, 64, 3, 2, 90},  // large
    {64, 64, 32, 32, 4, 3, 60},    // small, and n of 64
};

// visit_floating without double, and with float for TF32
template <class F>
void visit_tensor_types(ScalarType dtype, F f) {
  if (dtype == kFloat) return f(float{});
  if (dtype == kHalf) return f(Half{});
  f(BFloat16{});
}

template <class T, int kShape, bool kAAlongK, bool kBAlongK>
__global__ void __launch_bounds__(kShapes[kShape].threads(), kShapes[kShape].blocks) gemm_kernel(SplitProduct<T> g) {
  constexpr Shape S = kShapes[kShape];
  constexpr int kThreads = S.threads(), kStages = S.stages, kBehind = kStages - 1, kStage = S.stage_bytes();
  constexpr int kPiecesM = S.warp_m / 16, kPiecesN = S.warp_n / 16, kBytesA = mma_tile_bytes(S.block_m);
  constexpr int kSteps = kMmaRowBytes / 32;  // of mma along k in a tile
  GB_EXTERN_SHARED(unsigned char, shared);  // [stage](tile of a, tile of b), then 16 bytes
  const auto at = g.part_of_block(S.block_m, S.block_n);
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int row = warp / S.warps_n() * S.warp_m, col = warp % S.warps_n() * S.warp_n;  // of the warp

  MmaTileCopy<T, kThreads, S.block_m, kAAlongK> a(g.a, at.l, at.first_row, at.begin);
  MmaTileCopy<T, kThreads, S.block_n, kBAlongK> b(g.b, at.l, at.first_col, at.begin);
  const int length = at.end - at.begin;  // along k
  const auto start = [&](int tile, int stage) {
    if (const int left = length - tile * kTileDepth<T>; left > 0) {
      a.start(shared + stage * kStage, left);
      b.start(shared + stage * kStage + kBytesA, left);
    }
    cp_async_commit();
  };
  Words of_a[2][kPiecesM], of_b[2][kPiecesN];
  const int place_a = MmaTile<T, S.block_m, kAAlongK>::lane_place(row),
            place_b = MmaTile<T, S.block_n, kBAlongK>::lane_place(col) + kBytesA;
  const auto load = [&](int stage, int step) {
    const unsigned char* const tile = shared + stage * kStage;
#pragma unroll
    for (int i = 0; i < kPiecesM; ++i)
      MmaTile<T, S.block_m, kAAlongK>::load(of_a[step % 2][i], tile, place_a, i, step);
#pragma unroll
    for (int j = 0; j < kPiecesN; ++j)
      MmaTile<T, S.block_n, kBAlongK>::load(of_b[step % 2][j], tile, place_b, j, step);
  };
  const auto next = [](int stage) { return stage + 1 < kStages ? stage + 1 : 0; };
  const auto last = [](int stage) { return stage > 0 ? stage - 1 : kStages - 1; };

  Sums sum[kPiecesM][2 * kPiecesN] = {};
  // Where the tile will be stored waits in shared memory: during the loop every register is taken.
  int* const kept = reinterpret_cast<int*>(shared + kStages * kStage);
  if (threadIdx.x == 0) kept[0] = at.l_of_store, kept[1] = at.first_row, kept[2] = at.first_col;
  for (int tile = 0; tile < kBehind; ++tile) start(tile, tile);
  cp_async_wait<kBehind - 1>();
  __syncthreads();
  if (length > 0) load(0, 0);
  int stage = 0;
  for (int tile = 0; tile * kTileDepth<T> < length; ++tile) {
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
      if (step + 1 < kSteps) {
        load(stage, step + 1);
      } else if ((tile + 1) * kTileDepth<T> < length) {
        cp_async_wait<kBehind - 1>();  // the next tile is there, of all threads
        __syncthreads();               // and nobody reads this one any more, nor the stage of the one before
        load(next(stage), 0);
      }
      if (step == 0) start(tile + kBehind, last(stage));  // into the stage of the tile before
      // [anchor: mma]
#pragma unroll
      for (int i = 0; i < kPiecesM; ++i)
#pragma unroll
        for (int j = 0; j < 2 * kPiecesN; ++j) {
          const Words& of_both = of_b[step % 2][j / 2];
          mma<T>(sum[i][j], of_a[step % 2][i], of_both[j % 2], of_both[j % 2 + 2]);
        }
    }
    stage = next(stage);
  }
#pragma unroll
  for (int i = 0; i < kPiecesM; ++i)
#pragma unroll
    for (int j = 0; j < 2 * kPiecesN; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half)  // rows lane / 4 and lane / 4 + 8 of the piece
        g.template store_neighbours<2>(&sum[i][j][2 * half], kept[0], kept[1] + row + i * 16 + half * 8 + lane / 4,
                                       kept[2] + col + j * 8 + lane % 4 * 2);
}

template <class T, int kShape>
void gemm_in(const GemmArgs& args, StreamHandle stream) {
  constexpr const Shape& S = kShapes[kShape];
  const int64_t tiles = args.batch * tiles_over(args.m, S.block_m) * tiles_over(args.n, S.block_n);
  const int64_t room = int64_t{multiprocessors()} * S.blocks;
  const SplitProduct<T> product(args, splits_for(tiles, room, args.k, kTileDepth<T>));
  run_split(product, stream, [&](const SplitProduct<T>& g) {
    visit_directions(args, [&](auto a_along_k, auto b_along_k) {
      GB_LAUNCH((gemm_kernel<T, kShape, a_along_k.value, b_along_k.value>), grid_of(g.splits * tiles),
                kShapes[kShape].threads(), kShapes[kShape].shared_bytes(), stream, g);
    });
  });
}

}  // namespace

bool takes(const GemmArgs& args) {
  const bool multiplies = args.dtype == kHalf || args.dtype == kBFloat16 || (args.dtype == kFloat && args.allow_tf32);
  return multiplies && counts_in_int(args) && moves_vectors(args.a, args.a.row_stride, args.a.col_stride, args.dtype) &&
         moves_vectors(args.b, args.b.col_stride, args.b.row_stride, args.dtype);
}

void gemm(const GemmArgs& args, StreamHandle stream) {
  visit_tensor_types(args.dtype, [&](auto zero) {
    using T = decltype(zero);
    visit_row<std::size(kShapes)>(best_shape(kShapes, args, kTileDepth<T>),
                                  [&](auto shape) { gemm_in<T, shape.value>(args, stream); });
  });
}

}  // namespace gb::cuda::linear_09_mma_sync
