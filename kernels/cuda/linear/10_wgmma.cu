// Linear, rung 10: wgmma and the copy engine. Changed: one thread has whole tiles fetched, four warps start one
// product.
//
// A warpgroup of 128 threads has a tile of 64 x 128 of d. Thread 0 asks for the next tiles of a and b; nobody's
// registers carry them, and nobody computes an address per element. The mbarrier counts the bytes; then four
// products of 16 along k (TF32: 8) run on the tensor cores straight from shared memory. Tiles at the edges are
// filled up with zeros by the copy engine. What is left to do: copying and multiplying take turns.
#include "kernels/cuda/linear/hopper_operands.h"
#include "kernels/cuda/linear/hopper_tile.h"
#include "kernels/cuda/linear/rungs.h"
#include "kernels/cuda/space.h"

namespace gb::cuda::linear_10_wgmma {
namespace {

constexpr int kM = 64, kN = 128, kThreads = 128;  // the tile of d; a warpgroup
constexpr size_t kSharedBytes = 2 * kAtom + tile_bytes(kM) + tile_bytes(kN);

// a: [m, k], b: [k, n], d: [m, n], of each of the batch. One block per tile of d.
template <class T, Major kA, Major kB>
__global__ void __launch_bounds__(kThreads)
    gemm_kernel(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b, HopperShape g,
                HopperOutput<T> out) {
  GB_EXTERN_SHARED(char, shared);
  auto* const barrier = reinterpret_cast<MBarrier*>(shared);
  char* const tile_a = align_shared(shared + sizeof(MBarrier), kAtom);  // [kM, 128 bytes of k]
  char* const tile_b = tile_a + tile_bytes(kM);                         // [kN, 128 bytes of k]
  const int tiles_n = (g.n + kN - 1) / kN, tiles_m = (g.m + kM - 1) / kM;
  const int l = static_cast<int>(blockIdx.x / (static_cast<unsigned>(tiles_n) * tiles_m));
  const int tile = static_cast<int>(blockIdx.x) - l * tiles_n * tiles_m;
  const int i0 = tile / tiles_n * kM, j0 = tile % tiles_n * kN;
  if (threadIdx.x == 0) {
    barrier->init(1);
    fence_mbarrier_init();
  }
  __syncthreads();

  float sum[kN / 2];
  uint32_t parity = 0;
  for (int k0 = 0; k0 < g.k; k0 += kTileK<T>) {
    if (threadIdx.x == 0) {
      barrier->arrive_expect_tx(tile_bytes(kM) + tile_bytes(kN));
      load_tile<T, kA>(tile_a, &a, barrier, kM, i0, k0, g.a_batch > 1 ? l : 0);
      load_tile<T, kB>(tile_b, &b, barrier, kN, j0, k0, g.b_batch > 1 ? l : 0);
    }
    barrier->wait(parity);
    parity ^= 1;
    wgmma_fence();
    multiply_tile<kN, T, kA, kB>(sum, tile_a, tile_b, k0 == 0);
    wgmma_commit();
    wgmma_wait<0>(sum);
    __syncthreads();  // all four warps have read: the tiles may be overwritten
  }
  store_sums<kN>(sum, out, g, l, i0, j0);
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

}  // namespace gb::cuda::linear_10_wgmma
