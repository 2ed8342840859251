// Linear, rung 13: the result by the copy engine. Changed: a warpgroup puts its sums into shared memory, from where
// they are stored as boxes while it multiplies the next tile.
//
// In rung 12 each warp writes 8 rows of 16 or 32 bytes with one instruction, which memory gets as so many small
// pieces. Here the sums go, column by column of boxes (64 rows of 128 bytes), into one of two buffers per
// warpgroup, swizzled so that the 32 lanes meet 32 banks; one thread has the box stored, in whole lines, cut at d's
// edges. A buffer is written again when the box before the last one has been read. Needs d with unit stride along n,
// and rows of d a multiple of 16 bytes long, for the engine would write up to the next one.
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

constexpr int kM = 128, kN = 256, kStages = 4, kConsumers = 2, kThreads = (kConsumers + 1) * 128;
constexpr int kCluster = 2, kShareN = kN / kCluster;  // rows of b's tile that one block fetches
constexpr uint16_t kAllBlocks = (1 << kCluster) - 1;
constexpr uint32_t kStageBytes = tile_bytes(kM) + tile_bytes(kN);
constexpr int kBoxM = 64;  // rows of a stored box; a warpgroup's
constexpr uint32_t kBoxBytes = tile_bytes(kBoxM);
constexpr size_t kSharedBytes = 2 * kAtom + kStages * kStageBytes + kConsumers * 2 * kBoxBytes;

// The sums of a warpgroup, kBoxM rows from i0 and kN columns from j0, box after box. buffers: [2][kBoxBytes].
// [anchor: store-boxes]
template <class T>
__device__ void store_boxes(float (&sum)[kN / 2], const TensorMap* d, const HopperOutput<T>& out, char* buffers,
                            const HopperShape& g, int l, int i0, int j0) {
  constexpr int kBoxN = kRowBytes / static_cast<int>(sizeof(T));  // columns of a box
  const bool is_first = threadIdx.x % 128 == 0;
  const int barrier = 1 + static_cast<int>(threadIdx.x) / 128;
  finish_sums<kN>(sum, out.epilogue, g, l, i0, j0);
#pragma unroll
  for (int box = 0; box < kN / kBoxN; ++box) {
    char* const buffer = buffers + box % 2 * kBoxBytes;
    if (is_first) bulk_wait_read<1>();
    named_barrier(barrier, 128);
#pragma unroll
    for (int in_box = 0; in_box < kBoxN / 2; in_box += 2) {
      const int e = box * (kBoxN / 2) + in_box;
      const uint32_t place = static_cast<uint32_t>(wgmma_row(e) * kRowBytes +
                                                   (wgmma_column(e) - box * kBoxN) * static_cast<int>(sizeof(T)));
      *reinterpret_cast<Pair<T>*>(buffer + swizzled(place, Swizzle::Bytes128)) = {static_cast<T>(sum[e]),
                                                                                  static_cast<T>(sum[e + 1])};
    }
    fence_proxy_async();
    named_barrier(barrier, 128);
    if (is_first) {
      if (i0 < g.m && j0 + box * kBoxN < g.n) tma_store(d, buffer, j0 + box * kBoxN, i0, l);
      bulk_commit();
    }
  }
}

// a: [m, k], b: [k, n], d: [m, n], of each of the batch. A cluster takes two tiles of d at a time.
template <class T, Major kA, Major kB>
__global__ void __launch_bounds__(kThreads, 1)
    gemm_kernel(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
                const __grid_constant__ TensorMap d, HopperShape g, TileOrder order, HopperOutput<T> out) {
  GB_EXTERN_SHARED(char, shared);
  Ring<kStages> ring(shared);
  char* const stages =
      align_shared(shared + kRingBytes<kStages>, kAtom);  // each: a's tile [kM, 128 bytes], b's [kN, 128]
  char* const boxes = stages + kStages * kStageBytes;     // [kConsumers][2][kBoxBytes]
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
        const int i0 = (tile.row * kCluster + static_cast<int>(rank)) * kM,
                  j0 = tile.col * kN + static_cast<int>(rank) * kShareN;
        for (int k0 = 0; k0 < g.k; k0 += kTileK<T>, ring.advance()) {
          char *const to_a = stages + ring.stage * kStageBytes, *const to_b = to_a + tile_bytes(kM) +
                                                                              rank * tile_bytes(kShareN);
          ring.empty().wait(ring.parity ^ 1);
          ring.full().arrive_expect_tx(kStageBytes);  // half of b's tile comes from the other block
          load_tile<T, kA>(to_a, &a, &ring.full(), kM, i0, k0, g.a_batch > 1 ? tile.l : 0);
          load_tile_multicast<T, kB>(to_b, &b, &ring.full(), kAllBlocks, kShareN, j0, k0,
                                     g.b_batch > 1 ? tile.l : 0);
        }
      }
  } else {
    raise_registers<232>();
    const int thread = static_cast<int>(threadIdx.x) % 128;
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
      next = order.at(number + step);  // while the last products are made, not between the store and the next ones
      wgmma_wait<0>(sum);
      if (thread < kCluster) ring.empty_before().arrive_at(static_cast<uint32_t>(thread));
      const int i0 = (tile.row * kCluster + static_cast<int>(rank)) * kM;
      store_boxes(sum, &d, out, boxes + warpgroup * 2 * kBoxBytes, g, tile.l, i0 + kBoxM * warpgroup,
                  tile.col * kN);
    }
    if (thread == 0) bulk_wait_read<0>();  // shared memory must stay until then
  }
  cluster_sync();  // the other block may still arrive at this one's barriers
}

}  // namespace

namespace {
// d [batch, m, n] in boxes of kBoxM rows of 128 bytes. A dimension of 1 may have any stride.
TensorMapArgs map_of_d(const GemmArgs& g) {
  const int in_row = kRowBytes / static_cast<int>(elementSize(g.dtype));
  TensorMapArgs map;
  map.dtype = g.dtype;
  map.data = g.d.data;
  map.rank = 3;
  map.sizes[0] = g.n, map.sizes[1] = g.m, map.sizes[2] = g.batch;
  map.strides[0] = g.m > 1 ? g.d.row_stride : (g.n + in_row - 1) / in_row * in_row;
  map.strides[1] = g.batch > 1 ? g.d.batch_stride : map.strides[0];
  map.box[0] = in_row, map.box[1] = kBoxM;
  map.swizzle = Swizzle::Bytes128;
  return map;
}
}  // namespace

bool takes(const GemmArgs& args) {
  if (!hopper_takes(args) || !TileOrder::fits(args.m, args.n, args.batch, kM * kCluster, kN)) return false;
  if (args.n * static_cast<int64_t>(elementSize(args.dtype)) % 16 != 0 || args.d.col_stride != 1) return false;
  const TensorMapArgs d = map_of_d(args);
  return d.strides[0] >= args.n && can_map(args.dtype, d.data, d.sizes[0], d.strides[0]) &&
         can_map(args.dtype, d.data, d.sizes[2], d.strides[1]);
}

void gemm(const GemmArgs& args, StreamHandle stream) {
  const HopperOperands x(args, stream);
  const HopperShape shape = {static_cast<int>(args.m), static_cast<int>(args.n), static_cast<int>(args.k),
                             static_cast<int>(x.a.batch), static_cast<int>(x.b.batch)};
  const TileOrder order(args.m, args.n, args.batch, kM * kCluster, kN);
  const uint32_t clusters = std::min(order.count, static_cast<uint32_t>(std::max(multiprocessors() / kCluster, 1)));
  const bool tf32 = args.dtype == kFloat;
  visit_hopper(args.dtype, x.a.major, x.b.major, [&](auto zero, auto a, auto b) {
    using T = decltype(zero);
    GB_LAUNCH_CLUSTERS(kCluster, (gemm_kernel<T, a(), b()>), clusters * kCluster, kThreads, kSharedBytes, stream,
                       x.a.map(kM, tf32), x.b.map(kShareN, tf32), make_tensor_map(map_of_d(args)), shape, order,
                       HopperOutput<T>(args));
  });
}

}  // namespace gb::cuda::linear_13_tma_store
