// Linear, rung 12: blocks that stay, in clusters of two. Changed: each block goes on from tile to tile of d, in an
// order that keeps a and b in the L2 cache; two blocks fetch b's tile together.
//
// There are as many blocks as multiprocessors. While the consumers store a tile, the producer has already begun
// with the next one. The two blocks of a cluster have tiles of d one below the other, hence the same tile of b:
// each fetches half of it, and the copy engine brings it to both. So a stage may be filled again only when the
// consumers of both blocks have given it back.
#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/instructions/cluster.h"
#include "kernels/cuda/instructions/registers.h"
#include "kernels/cuda/linear/hopper_operands.h"
#include "kernels/cuda/linear/hopper_ring.h"
#include "kernels/cuda/linear/hopper_tile.h"
#include "kernels/cuda/linear/hopper_tile_order.h"
#include "kernels/cuda/linear/rungs.h"
#include "kernels/cuda/space.h"

namespace gb::cuda::linear_12_persistent {
namespace {

constexpr int kM = 128, kN = 256, kStages = 4, kConsumers = 2, kThreads = (kConsumers + 1) * 128;
constexpr int kCluster = 2, kShareN = kN / kCluster;  // rows of b's tile that one block fetches
constexpr uint16_t kAllBlocks = (1 << kCluster) - 1;
constexpr uint32_t kStageBytes = tile_bytes(kM) + tile_bytes(kN);
constexpr size_t kSharedBytes = 2 * kAtom + kStages * kStageBytes;

// a: [m, k], b: [k, n], d: [m, n], of each of the batch. A cluster takes two tiles of d at a time.
template <class T, Major kA, Major kB>
__global__ void __launch_bounds__(kThreads, 1)
    gemm_kernel(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b, HopperShape g,
                TileOrder order, HopperOutput<T> out) {
  GB_EXTERN_SHARED(char, shared);
  Ring<kStages> ring(shared);
  char* const stages =
      align_shared(shared + kRingBytes<kStages>, kAtom);  // each: a's tile [kM, 128 bytes], b's [kN, 128]
  const uint32_t rank = cluster_rank();
  const uint32_t first = blockIdx.x / kCluster, step = gridDim.x / kCluster;
  if (threadIdx.x == 0) {
    prefetch_tensor_map(&a);
    prefetch_tensor_map(&b);
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
      store_sums<kN>(sum, out, g, tile.l, i0 + 64 * warpgroup, tile.col * kN);
    }
  }
  cluster_sync();  // the other block may still arrive at this one's barriers
}

}  // namespace

bool takes(const GemmArgs& args) {
  return hopper_takes(args) && TileOrder::fits(args.m, args.n, args.batch, kM * kCluster, kN);
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
                       x.a.map(kM, tf32), x.b.map(kShareN, tf32), shape, order, HopperOutput<T>(args));
  });
}

}  // namespace gb::cuda::linear_12_persistent
