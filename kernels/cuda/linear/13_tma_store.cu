// Linear, rung 13: the result by the copy engine. Changed: a warpgroup puts its sums into shared memory, from where
// they are stored as boxes while it multiplies the next tile.
//
// In rung 12 each warp writes 8 rows of 16 or 32 bytes with one instruction, which memory gets as so many small
// pieces. Here the sums go into boxes in shared memory (64 rows of 128 bytes), swizzled so that the 32 lanes meet 32
// banks; one thread has them stored, in whole lines, cut at d's edges. There is place for all sums of a half type, so
// nobody waits for the engine, whose boxes of the tile before are long away; floats need the place twice. It costs the
// ring a stage.
//
// Tiles are 256 columns wide, or 192: whichever needs less time for all rounds of all multiprocessors. Needs d with
// unit stride along n, and rows of d a multiple of 16 bytes long, for the engine would write up to the next one.
#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/instructions/cluster.h"
#include "kernels/cuda/instructions/named_barrier.h"
#include "kernels/cuda/instructions/registers.h"
#include "kernels/cuda/linear/hopper_operands.h"
#include "kernels/cuda/linear/hopper_ring.h"
#include "kernels/cuda/linear/hopper_tile.h"
#include "kernels/cuda/linear/hopper_tile_order.h"
#include "kernels/cuda/linear/rungs.h"
#include "kernels/cuda/space.h"

namespace gb::cuda::linear_13_tma_store {
namespace {

constexpr int kM = 128, kConsumers = 2, kThreads = (kConsumers + 1) * 128;
constexpr int kCluster = 2;
constexpr uint16_t kAllBlocks = (1 << kCluster) - 1;
constexpr int kBox = 64;  // rows of a box, fetched or stored
constexpr uint32_t kBoxBytes = tile_bytes(kBox);

// What depends on the width of a tile of d.
template <class T, int kN>
struct Shared {
  static constexpr uint32_t kStageBytes = tile_bytes(kM) + tile_bytes(kN);
  static constexpr int kColumns = kRowBytes / static_cast<int>(sizeof(T));  // of a box
  static constexpr int kBoxes = kN / 64;                 // that a warpgroup has place for: a half type's whole row,
  static constexpr int kRounds = kN / kColumns / kBoxes;  // which is half of a row of floats
  static constexpr int kStages = kN == 192 ? 4 : 3;
  static constexpr size_t kBytes =
      2 * kAtom + kStages * kStageBytes + kConsumers * (kBoxes * kBoxBytes + kN * sizeof(float));
};

// Brings the bias of columns j0 ... into shared memory; two columns for each thread.
template <int kN, class T>
__device__ void load_row(float* row, const Epilogue<T>& epilogue, const HopperShape& g, int l, int j0) {
  if (!is_row(epilogue)) return;
  const T* const c = epilogue.c + l * epilogue.batch_stride;
#pragma unroll
  for (int j = static_cast<int>(threadIdx.x) % 128; j < kN; j += 128)
    row[j] = j0 + j < g.n ? static_cast<float>(c[j0 + j]) : 0;
}

// The sums of a warpgroup, 64 rows from i0 and kN columns from j0, in rounds of kBoxes boxes. boxes:
// [kBoxes][kBoxBytes]; row: what load_row brought.
// [anchor: store-boxes]
template <int kN, class T>
__device__ void store_boxes(float (&sum)[kN / 2], const TensorMap* d, const HopperOutput<T>& out, char* boxes,
                            const float* row, const HopperShape& g, int l, int i0, int j0) {
  using S = Shared<T, kN>;
  const bool is_first = threadIdx.x % 128 == 0;
  const int barrier = 1 + static_cast<int>(threadIdx.x) / 128;
  if (is_first) bulk_wait_read<0>();
  named_barrier(barrier, 128);
  finish_sums<kN>(sum, out.epilogue, g, l, i0, j0, is_row(out.epilogue) ? row : nullptr);
#pragma unroll
  for (int round = 0; round < S::kRounds; ++round) {
    if (round > 0) {
      if (is_first) bulk_wait_read<0>();
      named_barrier(barrier, 128);
    }
#pragma unroll
    for (int box = 0; box < S::kBoxes; ++box) {
#pragma unroll
      for (int in_box = 0; in_box < S::kColumns / 2; in_box += 2) {
        const int e = (round * S::kBoxes + box) * (S::kColumns / 2) + in_box;
        const uint32_t place =
            static_cast<uint32_t>(wgmma_row(in_box) * kRowBytes + wgmma_column(in_box) * static_cast<int>(sizeof(T)));
        *reinterpret_cast<Pair<T>*>(boxes + box * kBoxBytes + swizzled(place, Swizzle::Bytes128)) = {
            static_cast<T>(sum[e]), static_cast<T>(sum[e + 1])};
      }
    }
    fence_proxy_async();
    named_barrier(barrier, 128);
    if (is_first) {
      for (int box = 0; box < S::kBoxes; ++box) {
        const int j = j0 + (round * S::kBoxes + box) * S::kColumns;
        if (i0 < g.m && j < g.n) tma_store(d, boxes + box * kBoxBytes, j, i0, l);
      }
      bulk_commit();
    }
  }
}

// a: [m, k], b: [k, n], d: [m, n], of each of the batch. A cluster takes two tiles of d at a time.
template <class T, Major kA, Major kB, int kN>
__global__ void __launch_bounds__(kThreads, 1)
    gemm_kernel(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
                const __grid_constant__ TensorMap d, HopperShape g, TileOrder order, HopperOutput<T> out) {
  using S = Shared<T, kN>;
  constexpr int kStages = S::kStages, kBoxes = S::kBoxes;
  constexpr uint32_t kStageBytes = S::kStageBytes;
  GB_EXTERN_SHARED(char, shared);
  Ring<kStages> ring(shared);
  char* const stages =
      align_shared(shared + kRingBytes<kStages>, kAtom);  // each: a's tile [kM, 128 bytes], b's [kN, 128]
  char* const boxes = stages + kStages * kStageBytes;     // [kConsumers][kBoxes][kBoxBytes]
  float* const rows = reinterpret_cast<float*>(boxes + kConsumers * kBoxes * kBoxBytes);  // [kConsumers][kN]
  const uint32_t rank = cluster_rank();
  const uint32_t first = blockIdx.x / kCluster, step = gridDim.x / kCluster;
  if (threadIdx.x == 0) {
    prefetch_tensor_map(&a);
    prefetch_tensor_map(&b);
    prefetch_tensor_map(&d);
    ring.init(kConsumers * kCluster);
  }
  cluster_sync();  // the other block's barriers are there too

  const int warpgroup = static_cast<int>(threadIdx.x) / 128;
  if (warpgroup == kConsumers) {  // the producer
    lower_registers<40>();
    if (threadIdx.x == kConsumers * 128)
      for (uint32_t number = first; number < order.count; number += step) {
        const Tile tile = order.at(number);
        const int i0 = (tile.row * kCluster + static_cast<int>(rank)) * kM, j0 = tile.col * kN;
        for (int k0 = 0; k0 < g.k; k0 += kTileK<T>, ring.advance()) {
          char *const to_a = stages + ring.stage * kStageBytes, *const to_b = to_a + tile_bytes(kM);
          ring.empty().wait(ring.parity ^ 1);
          ring.full().arrive_expect_tx(kStageBytes);  // of b's tile every second box comes from the other block
          load_tile<T, kA>(to_a, &a, &ring.full(), kM, i0, k0, g.a_batch > 1 ? tile.l : 0);
          for (int r = static_cast<int>(rank) * kBox; r < kN; r += kCluster * kBox)
            load_tile_multicast<T, kB>(to_b + tile_bytes(r), &b, &ring.full(), kAllBlocks, kBox, j0 + r, k0,
                                       g.b_batch > 1 ? tile.l : 0);
        }
      }
  } else {
    raise_registers<232>();
    const int thread = static_cast<int>(threadIdx.x) % 128;
    float* const row = rows + warpgroup * kN;
    Tile next = order.at(first);
    for (uint32_t number = first; number < order.count; number += step) {
      const Tile tile = next;
      float sum[kN / 2];
      for (int k0 = 0; k0 < g.k; k0 += kTileK<T>, ring.advance()) {
        const char* const from = stages + ring.stage * kStageBytes;
        ring.full().wait(ring.parity);
        wgmma_fence();
        multiply_tile<kN, T, kA, kB>(sum, from + tile_bytes(64 * warpgroup), from + tile_bytes(kM), k0 == 0);
        wgmma_commit();
        wgmma_wait<1>();  // the stage before this one has been multiplied: back to both blocks
        if (k0 > 0 && thread < kCluster) ring.empty_before().arrive_at(static_cast<uint32_t>(thread));
      }
      // While the last products are made, not between them and the next ones:
      next = order.at(number + step);
      load_row<kN>(row, out.epilogue, g, tile.l, tile.col * kN);
      wgmma_wait<0>(sum);
      if (thread < kCluster) ring.empty_before().arrive_at(static_cast<uint32_t>(thread));
      const int i0 = (tile.row * kCluster + static_cast<int>(rank)) * kM;
      store_boxes<kN>(sum, &d, out, boxes + warpgroup * kBoxes * kBoxBytes, row, g, tile.l, i0 + kBox * warpgroup,
                      tile.col * kN);
    }
    if (thread == 0) bulk_wait_read<0>();  // shared memory must stay until then
  }
  cluster_sync();  // the other block may still arrive at this one's barriers
}

// d [batch, m, n] in boxes of kBox rows of 128 bytes. A dimension of 1 may have any stride.
TensorMapArgs map_of_d(const GemmArgs& g) {
  const int in_row = kRowBytes / static_cast<int>(elementSize(g.dtype));
  TensorMapArgs map;
  map.dtype = g.dtype;
  map.data = g.d.data;
  map.rank = 3;
  map.sizes[0] = g.n, map.sizes[1] = g.m, map.sizes[2] = g.batch;
  map.strides[0] = g.m > 1 ? g.d.row_stride : (g.n + in_row - 1) / in_row * in_row;
  map.strides[1] = g.batch > 1 ? g.d.batch_stride : map.strides[0];
  map.box[0] = in_row, map.box[1] = kBox;
  map.swizzle = Swizzle::Bytes128;
  return map;
}

int64_t clusters_at_once() { return std::max(multiprocessors() / kCluster, 1); }

// How often each cluster takes a tile of width n.
int64_t rounds_of(const GemmArgs& args, int n) {
  const int64_t tiles = TileOrder(args.m, args.n, args.batch, kM * kCluster, n).count;
  return (tiles + clusters_at_once() - 1) / clusters_at_once();
}
// How long all tiles of width n take: rounds, times the steps of a tile and what its store costs, in steps. A narrow
// tile reaches 3 % less: what is fetched for it is used less often.
// [anchor: width]
int64_t time_of(const GemmArgs& args, int n) {
  const int64_t size = static_cast<int64_t>(elementSize(args.dtype)), steps = (args.k * size + kRowBytes - 1) / kRowBytes;
  const int64_t store = size == 2 ? 3 : 6;  // floats need their boxes twice
  return rounds_of(args, n) * n * (steps + store) * (n == 192 ? 103 : 100);
}

int width_for(const GemmArgs& args) {
  const bool narrow = TileOrder::fits(args.m, args.n, args.batch, kM * kCluster, 192) &&
                      time_of(args, 192) < time_of(args, 256);
  return narrow ? 192 : 256;
}

template <int kN>
void gemm_of_width(const GemmArgs& args, StreamHandle stream) {
  const HopperOperands x(args, stream);
  const HopperShape shape = {static_cast<int>(args.m), static_cast<int>(args.n), static_cast<int>(args.k),
                             static_cast<int>(x.a.batch), static_cast<int>(x.b.batch)};
  const TileOrder order(args.m, args.n, args.batch, kM * kCluster, kN);
  const uint32_t clusters = std::min(order.count, static_cast<uint32_t>(clusters_at_once()));
  const bool tf32 = args.dtype == kFloat;
  visit_hopper(args.dtype, x.a.major, x.b.major, [&](auto zero, auto a, auto b) {
    using T = decltype(zero);
    GB_LAUNCH_CLUSTERS(kCluster, (gemm_kernel<T, a(), b(), kN>), clusters * kCluster, kThreads,
                       (Shared<T, kN>::kBytes), stream, x.a.map(kM, tf32), x.b.map(kBox, tf32),
                       make_tensor_map(map_of_d(args)), shape, order, HopperOutput<T>(args));
  });
}

}  // namespace

bool takes(const GemmArgs& args) {
  if (!hopper_takes(args) || !TileOrder::fits(args.m, args.n, args.batch, kM * kCluster, 256)) return false;
  if (args.n * static_cast<int64_t>(elementSize(args.dtype)) % 16 != 0 || args.d.col_stride != 1) return false;
  const TensorMapArgs d = map_of_d(args);
  return d.strides[0] >= args.n && can_map(args.dtype, d.data, d.sizes[0], d.strides[0]) &&
         can_map(args.dtype, d.data, d.sizes[2], d.strides[1]);
}

bool fills_device(const GemmArgs& args) {
  const int n = width_for(args);
  const int64_t rounds = rounds_of(args, n);
  return rounds >= 4 && 10 * args.m * args.n * args.batch >= 9 * rounds * clusters_at_once() * kM * kCluster * n;
}

void gemm(const GemmArgs& args, StreamHandle stream) {
  if (width_for(args) == 192)
    gemm_of_width<192>(args, stream);
  else
    gemm_of_width<256>(args, stream);
}

}  // namespace gb::cuda::linear_13_tma_store
