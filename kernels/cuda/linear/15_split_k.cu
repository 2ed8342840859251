// Linear, rung 15: split k. Changed: where d has fewer tiles than the device has multiprocessors, several blocks
// share a tile, each with a part of k.
//
// The weight's gradient dW = dY^T X of a small layer is of this kind: 600 x 64 is five tiles, but k is the number
// of rows. Each block sums its slice of k into its own [m, n] floats in scratch memory; a second kernel adds the
// slices up, always in the same order, so that the result has the same bits each time (atomics would not give
// that), and ends as every rung does. It is worth the second kernel only for few tiles: what has more is left to
// the rungs below.
#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/instructions/registers.h"
#include "kernels/cuda/linear/hopper_operands.h"
#include "kernels/cuda/linear/hopper_ring.h"
#include "kernels/cuda/linear/hopper_tile.h"
#include "kernels/cuda/linear/rungs.h"
#include "kernels/cuda/space.h"

namespace gb::cuda::linear_15_split_k {
namespace {

constexpr int kM = 128, kN = 128, kStages = 6, kConsumers = 2, kThreads = (kConsumers + 1) * 128;
constexpr uint32_t kStageBytes = tile_bytes(kM) + tile_bytes(kN);
constexpr size_t kSharedBytes = 2 * kAtom + kStages * kStageBytes;
constexpr int kLeastSteps = 4;  // steps of 128 bytes of k in a slice, at least

// a: [m, k], b: [k, n]; partial: [batch * slices, m, n], floats. One block per tile and slice; a slice is `steps`
// steps.
template <class T, Major kA, Major kB>
__global__ void __launch_bounds__(kThreads, 1)
    slice_kernel(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b, HopperShape g,
                 int slices, int steps, HopperOutput<float> partial) {
  GB_EXTERN_SHARED(char, shared);
  Ring<kStages> ring(shared);
  char* const stages = align_shared(shared + kRingBytes<kStages>, kAtom);
  const int tiles_n = (g.n + kN - 1) / kN, tiles_m = (g.m + kM - 1) / kM;
  const int l_and_slice = static_cast<int>(blockIdx.x / (static_cast<unsigned>(tiles_n) * tiles_m));
  const int tile = static_cast<int>(blockIdx.x) - l_and_slice * tiles_n * tiles_m;
  const int l = l_and_slice / slices, slice = l_and_slice - l * slices;
  const int i0 = tile % tiles_m * kM, j0 = tile / tiles_m * kN;
  const int from_k = slice * steps * kTileK<T>, to_k = min(g.k, from_k + steps * kTileK<T>);
  if (threadIdx.x == 0) {
    prefetch_tensor_map(&a);
    prefetch_tensor_map(&b);
    ring.init(kConsumers);
  }
  __syncthreads();

  const int warpgroup = static_cast<int>(threadIdx.x) / 128;
  if (warpgroup == kConsumers) {
    lower_registers<40>();
    if (threadIdx.x == kConsumers * 128)
      for (int k0 = from_k; k0 < to_k; k0 += kTileK<T>, ring.advance()) {
        char* const to = stages + ring.stage * kStageBytes;
        ring.empty().wait(ring.parity ^ 1);
        ring.full().arrive_expect_tx(kStageBytes);
        load_tile<T, kA>(to, &a, &ring.full(), kM, i0, k0, g.a_batch > 1 ? l : 0);
        load_tile<T, kB>(to + tile_bytes(kM), &b, &ring.full(), kN, j0, k0, g.b_batch > 1 ? l : 0);
      }
  } else {
    raise_registers<232>();
    float sum[kN / 2];
    for (int k0 = from_k; k0 < to_k; k0 += kTileK<T>, ring.advance()) {
      const char* const from = stages + ring.stage * kStageBytes;
      ring.full().wait(ring.parity);
      wgmma_fence();
      multiply_tile<kN, T, kA, kB>(sum, from + tile_bytes(64 * warpgroup), from + tile_bytes(kM), k0 == from_k);
      wgmma_commit();
      wgmma_wait<1>();
      if (k0 > from_k && threadIdx.x % 128 == 0) ring.empty_before().arrive();
    }
    wgmma_wait<0>(sum);
    store_sums<kN>(sum, partial, g, l_and_slice, i0 + 64 * warpgroup, j0);
  }
}

// d from partial [batch, slices, m, n], rows `stride` apart; a thread per element.
template <class T>
__global__ void sum_kernel(const float* partial, int slices, int64_t stride, GemmArgs g, Epilogue<T> epilogue) {
  const int64_t element = thread_number();
  if (element >= g.batch * g.m * g.n) return;
  const int64_t row = element / g.n, j = element - row * g.n;
  const int64_t l = row / g.m, i = row - l * g.m;
  const float* const first = partial + (l * slices * g.m + i) * stride + j;
  float sum = 0;
  for (int s = 0; s < slices; ++s) sum += first[s * g.m * stride];
  static_cast<T*>(g.d.data)[l * g.d.batch_stride + i * g.d.row_stride + j * g.d.col_stride] =
      static_cast<T>(epilogue(sum, l, i, j));
}

int64_t tiles_of(const GemmArgs& g) { return (g.m + kM - 1) / kM * ((g.n + kN - 1) / kN) * g.batch; }

struct Slices {
  int count, steps;
};
// As many slices as give every multiprocessor a block, none of them too short.
Slices slices_for(const GemmArgs& g) {
  const int in_step = kRowBytes / static_cast<int>(elementSize(g.dtype));
  const int64_t steps = (g.k + in_step - 1) / in_step;
  const int64_t wanted = std::min(multiprocessors() / tiles_of(g), steps / kLeastSteps);
  const int64_t each = wanted > 1 ? (steps + wanted - 1) / wanted : steps;
  return {static_cast<int>((steps + each - 1) / each), static_cast<int>(each)};
}

}  // namespace

bool takes(const GemmArgs& args) { return hopper_takes(args) && slices_for(args).count > 1; }

void gemm(const GemmArgs& args, StreamHandle stream) {
  const HopperOperands x(args, stream);
  const HopperShape shape = {static_cast<int>(args.m), static_cast<int>(args.n), static_cast<int>(args.k),
                             static_cast<int>(x.a.batch), static_cast<int>(x.b.batch)};
  const Slices slices = slices_for(args);
  const int64_t stride = (args.n + 1) / 2 * 2;
  const std::shared_ptr<void> partial =
      scratch(static_cast<size_t>(args.batch * slices.count * args.m * stride) * sizeof(float), stream);
  GemmArgs sums;  // what a slice's sums are stored as
  sums.d = {partial.get(), stride, 1, args.m * stride};
  const bool tf32 = args.dtype == kFloat;
  visit_hopper(args.dtype, x.a.major, x.b.major, [&](auto zero, auto a, auto b) {
    using T = decltype(zero);
    GB_LAUNCH((slice_kernel<T, a(), b()>), grid_of(tiles_of(args) * slices.count), kThreads, kSharedBytes, stream,
              x.a.map(kM, tf32), x.b.map(kN, tf32), shape, slices.count, slices.steps, HopperOutput<float>(sums));
    GB_LAUNCH((sum_kernel<T>), blocks_for(args.batch * args.m * args.n), gb::cuda::kThreads, 0, stream,
              static_cast<const float*>(partial.get()), slices.count, stride, args, Epilogue<T>(args));
  });
}

}  // namespace gb::cuda::linear_15_split_k
