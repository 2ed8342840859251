// Linear, rung 11: producer and consumers. Changed: one warp only fetches, into a ring of tiles; two warpgroups
// multiply.
//
// The ring has four stages. Each has two mbarriers: `full`, at which the bytes of its tiles are counted, and
// `empty`, at which the warpgroups arrive when they have multiplied them. The producer runs up to four stages ahead
// of the consumers, so the tensor cores wait for memory only at the beginning. A consumer starts the products of a
// stage before those of the last one are done, and then gives that one back. The tile of d is larger, 128 x 256, so
// that a byte fetched is used more often; its sums take 128 registers of each thread, and setmaxnreg takes them
// from the producer's warpgroup, which needs none.
#include "kernels/cuda/instructions/registers.h"
#include "kernels/cuda/linear/hopper_operands.h"
#include "kernels/cuda/linear/hopper_ring.h"
#include "kernels/cuda/linear/hopper_tile.h"
#include "kernels/cuda/linear/rungs.h"
#include "kernels/cuda/space.h"

namespace gb::cuda::linear_11_producer_consumer {
namespace {

constexpr int kM = 128, kN = 256, kStages = 4, kConsumers = 2, kThreads = (kConsumers + 1) * 128;
constexpr uint32_t kStageBytes = tile_bytes(kM) + tile_bytes(kN);
constexpr size_t kSharedBytes = 2 * kAtom + kStages * kStageBytes;

// a: [m, k], b: [k, n], d: [m, n], of each of the batch. One block per tile of d.
template <class T, Major kA, Major kB>
__global__ void __launch_bounds__(kThreads, 1)
    gemm_kernel(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b, HopperShape g,
                HopperOutput<T> out) {
  GB_EXTERN_SHARED(char, shared);
  Ring<kStages> ring(shared);
  char* const stages =
      align_shared(shared + kRingBytes<kStages>, kAtom);  // each: a's tile [kM, 128 bytes], b's [kN, 128]
  const int tiles_n = (g.n + kN - 1) / kN, tiles_m = (g.m + kM - 1) / kM;
  const int l = static_cast<int>(blockIdx.x / (static_cast<unsigned>(tiles_n) * tiles_m));
  const int tile = static_cast<int>(blockIdx.x) - l * tiles_n * tiles_m;
  const int i0 = tile % tiles_m * kM, j0 = tile / tiles_m * kN;
  if (threadIdx.x == 0) {
    prefetch_tensor_map(&a);
    prefetch_tensor_map(&b);
    ring.init(kConsumers);
  }
  __syncthreads();

  // [anchor: roles]
  const int warpgroup = static_cast<int>(threadIdx.x) / 128;
  if (warpgroup == kConsumers) {  // the producer
    lower_registers<24>();
    if (threadIdx.x == kConsumers * 128)
      for (int k0 = 0; k0 < g.k; k0 += kTileK<T>, ring.advance()) {
        char* const to = stages + ring.stage * kStageBytes;
        ring.empty().wait(ring.parity ^ 1);  // passes at once the first time round
        ring.full().arrive_expect_tx(kStageBytes);
        load_tile<T, kA>(to, &a, &ring.full(), kM, i0, k0, g.a_batch > 1 ? l : 0);
        load_tile<T, kB>(to + tile_bytes(kM), &b, &ring.full(), kN, j0, k0, g.b_batch > 1 ? l : 0);
      }
  } else {
    raise_registers<240>();
    float sum[kN / 2];
    for (int k0 = 0; k0 < g.k; k0 += kTileK<T>, ring.advance()) {
      const char* const from = stages + ring.stage * kStageBytes;
      ring.full().wait(ring.parity);
      wgmma_fence();
      multiply_tile<kN, T, kA, kB>(sum, from + tile_bytes(64 * warpgroup), from + tile_bytes(kM), k0 == 0);
      wgmma_commit();
      wgmma_wait<1>();  // the stage before this one has been multiplied
      if (k0 > 0 && threadIdx.x % 128 == 0) ring.empty_before().arrive();
    }
    wgmma_wait<0>(sum);
    store_sums<kN>(sum, out, g, l, i0 + 64 * warpgroup, j0);
  }
}

}  // namespace

bool takes(const GemmArgs& args) { return hopper_takes(args); }

void gemm(const GemmArgs& args, StreamHandle stream) {
  const HopperOperands x(args, stream);
  const HopperShape shape = {static_cast<int>(args.m), static_cast<int>(args.n), static_cast<int>(args.k),
                             static_cast<int>(x.a.batch), static_cast<int>(x.b.batch)};
  const int64_t tiles = (args.m + kM - 1) / kM * ((args.n + kN - 1) / kN) * args.batch;
  const bool tf32 = args.dtype == kFloat;
  visit_hopper(args.dtype, x.a.major, x.b.major, [&](auto zero, auto a, auto b) {
    using T = decltype(zero);
    GB_LAUNCH((gemm_kernel<T, a(), b()>), grid_of(tiles), kThreads, kSharedBytes, stream, x.a.map(kM, tf32),
              x.b.map(kN, tf32), shape, HopperOutput<T>(args));
  });
}

}  // namespace gb::cuda::linear_11_producer_consumer
