// Linear, rung 14: floats on the tensor cores, exact to about float's own rounding. Changed: each factor is taken
// apart into two TF32 numbers, and three of the four products of the parts are summed.
//
// high(x) is x rounded to TF32, low(x) = x - high(x), exact in float, rounded to TF32 in its turn. Then
//   a b = high(a) high(b) + high(a) low(b) + low(a) high(b) + ...
// and what is left out is below 2^-20 of |a| |b|. The copy engine rounds as it loads, so the high parts need no
// memory; the low parts do: a kernel writes them beforehand. Tensor cores add into their accumulators less
// carefully than a float addition does, so every kPromote of k the sums go into registers of their own, by ordinary
// additions. Those registers are why the tile is 128 x 128. At a third of TF32's speed this is still far above the
// CUDA cores'. Not for infinities: infinity times a low part of 0 is NaN; numbers that TF32 rounds to infinity
// count as such.
#include "kernels/cuda/instructions/registers.h"
#include "kernels/cuda/linear/hopper_operands.h"
#include "kernels/cuda/linear/hopper_ring.h"
#include "kernels/cuda/linear/hopper_tile.h"
#include "kernels/cuda/linear/rungs.h"
#include "kernels/cuda/space.h"

namespace gb::cuda::linear_14_3xtf32 {
namespace {

constexpr int kM = 128, kN = 128, kStages = 3, kConsumers = 2, kThreads = (kConsumers + 1) * 128;
constexpr int kPromote = 128;                                            // of k
constexpr uint32_t kStageBytes = 2 * (tile_bytes(kM) + tile_bytes(kN));  // a high, a low, b high, b low
constexpr size_t kSharedBytes = 2 * kAtom + kStages * kStageBytes;
static_assert(kPromote % kTileK<float> == 0);

// out = low(in), rows of `cols` floats; a thread per element.
__global__ void low_parts_kernel(float* out, const float* in, int64_t rows, int64_t cols, int64_t out_stride,
                                 int64_t in_stride) {
  const int64_t element = thread_number();
  if (element >= rows * cols) return;
  const int64_t row = element / cols, col = element - row * cols;
  const float x = in[row * in_stride + col];
  const uint32_t bits = float_bits(x);
  const bool finite = (bits & 0x7f800000) != 0x7f800000;
  const float high =
      bits_float((bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu);  // to nearest even, as the copy engine
  out[row * out_stride + col] = finite ? x - high : 0;           // the high part is the infinity or the NaN
}

// a: [m, k], b: [k, n], d: [m, n], of each of the batch; a_low and b_low like a and b. One block per tile of d.
__global__ void __launch_bounds__(kThreads, 1)
    gemm_kernel(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap a_low,
                const __grid_constant__ TensorMap b, const __grid_constant__ TensorMap b_low, HopperShape g,
                HopperOutput<float> out) {
  constexpr int kK = kTileK<float>;
  constexpr Major kMajor = Major::K;
  GB_EXTERN_SHARED(char, shared);
  Ring<kStages> ring(shared);
  char* const stages = align_shared(shared + kRingBytes<kStages>, kAtom);
  const int tiles_n = (g.n + kN - 1) / kN, tiles_m = (g.m + kM - 1) / kM;
  const int l = static_cast<int>(blockIdx.x / (static_cast<unsigned>(tiles_n) * tiles_m));
  const int tile = static_cast<int>(blockIdx.x) - l * tiles_n * tiles_m;
  const int i0 = tile % tiles_m * kM, j0 = tile / tiles_m * kN;
  if (threadIdx.x == 0) ring.init(kConsumers);
  __syncthreads();

  const int warpgroup = static_cast<int>(threadIdx.x) / 128;
  if (warpgroup == kConsumers) {
    lower_registers<40>();
    if (threadIdx.x == kConsumers * 128)
      for (int k0 = 0; k0 < g.k; k0 += kK, ring.advance()) {
        char* const to = stages + ring.stage * kStageBytes;
        const int a_l = g.a_batch > 1 ? l : 0, b_l = g.b_batch > 1 ? l : 0;
        ring.empty().wait(ring.parity ^ 1);
        ring.full().arrive_expect_tx(kStageBytes);
        load_tile<float, kMajor>(to, &a, &ring.full(), kM, i0, k0, a_l);
        load_tile<float, kMajor>(to + tile_bytes(kM), &a_low, &ring.full(), kM, i0, k0, a_l);
        load_tile<float, kMajor>(to + 2 * tile_bytes(kM), &b, &ring.full(), kN, j0, k0, b_l);
        load_tile<float, kMajor>(to + 2 * tile_bytes(kM) + tile_bytes(kN), &b_low, &ring.full(), kN, j0, k0, b_l);
      }
  } else {
    raise_registers<232>();
    float total[kN / 2] = {}, sum[kN / 2];
    for (int k0 = 0; k0 < g.k; k0 += kK, ring.advance()) {
      const char *const a_high = stages + ring.stage * kStageBytes + tile_bytes(64 * warpgroup),
                        *const b_high = stages + ring.stage * kStageBytes + 2 * tile_bytes(kM);
      ring.full().wait(ring.parity);
      wgmma_fence();
      multiply_tile<kN, float, kMajor, kMajor>(sum, a_high + tile_bytes(kM), b_high, k0 % kPromote == 0);
      multiply_tile<kN, float, kMajor, kMajor>(sum, a_high, b_high + tile_bytes(kN), false);
      multiply_tile<kN, float, kMajor, kMajor>(sum, a_high, b_high, false);
      wgmma_commit();
      wgmma_wait<0>(sum);
      if (threadIdx.x % 128 == 0) ring.empty().arrive();
      if ((k0 + kK) % kPromote == 0 || k0 + kK >= g.k) {
#pragma unroll
        for (int e = 0; e < kN / 2; ++e) total[e] += sum[e];
      }
    }
    store_sums<kN>(total, out, g, l, i0 + 64 * warpgroup, j0);
  }
}

// The low parts of an operand, in memory of their own.
std::shared_ptr<void> low_parts(HopperOperand& low, const HopperOperand& x, StreamHandle stream) {
  low = x;
  low.row_stride = (x.k + 3) / 4 * 4;
  low.batch_stride = x.mn * low.row_stride;
  std::shared_ptr<void> memory = scratch(static_cast<size_t>(x.batch * low.batch_stride) * sizeof(float), stream);
  low.data = memory.get();
  for (int64_t l = 0; l < x.batch; ++l)
    GB_LAUNCH((low_parts_kernel), blocks_for(x.mn * x.k), gb::cuda::kThreads, 0, stream,
              static_cast<float*>(memory.get()) + l * low.batch_stride,
              static_cast<const float*>(x.data) + l * x.batch_stride, x.mn, x.k, low.row_stride, x.row_stride);
  return memory;
}

}  // namespace

bool takes(const GemmArgs& args) {
  GemmArgs as_tf32 = args;  // the same operands serve, without leave to round
  as_tf32.allow_tf32 = true;
  return args.dtype == kFloat && hopper_takes(as_tf32);
}

void gemm(const GemmArgs& args, StreamHandle stream) {
  const HopperOperands x(args, stream);
  HopperOperand a_low, b_low;
  const std::shared_ptr<void> of_a = low_parts(a_low, x.a, stream), of_b = low_parts(b_low, x.b, stream);
  const HopperShape shape = {static_cast<int>(args.m), static_cast<int>(args.n), static_cast<int>(args.k),
                             static_cast<int>(x.a.batch), static_cast<int>(x.b.batch)};
  const int64_t tiles = (args.m + kM - 1) / kM * ((args.n + kN - 1) / kN) * args.batch;
  GB_LAUNCH((gemm_kernel), grid_of(tiles), kThreads, kSharedBytes, stream, x.a.map(kM, true), a_low.map(kM, true),
            x.b.map(kN, true), b_low.map(kN, true), shape, HopperOutput<float>(args));
}

}  // namespace gb::cuda::linear_14_3xtf32
