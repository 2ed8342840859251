// LM head, rung 5: floats on the tensor cores, exact to about float's own rounding. Changed: 3xTF32.
//
// high(a) is a rounded to TF32, low(a) = a - high(a), exact in float; of it the tensor cores drop 2^-23 of a at most.
// Then w x = low(w) high(x) + high(w) low(x) + high(w) high(x) + ..., and what is left out is below 2^-22 of |w| |x|.
// Both parts of W would be 320 KB; so W lies in shared memory as it is, but in the order in which the first operand's
// registers want it, one load of 16 bytes a thread for each product, and each warpgroup takes it apart anew, as it
// multiplies. The parts of x lie in shared memory. 64 terms are few enough to be summed in the tensor cores' own
// registers.
//
// Infinities: one in x makes the low part NaN, and with it the row; so it does in softmax, where all logits of that
// row are infinite or NaN. But where W holds an infinity, or a number that TF32 rounds to one, every row is NaN: a
// mask belongs into the bias.
#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/instructions/named_barrier.h"
#include "kernels/cuda/instructions/tma.h"
#include "kernels/cuda/lm_head/rungs.h"
#include "kernels/cuda/lm_head/three_tf32.h"

namespace gb::cuda::lm_head_05_3xtf32 {
namespace {

constexpr int kStages = 2, kHalfRow = 32, kSteps = kIn / 8;  // tiles of x; floats of half a row; products along k
constexpr int kUnits = kBlocks * kSteps * 4;              // of W: 16 rows by 8 of k, what a warp takes to one product

// One block's shared memory; at a multiple of 1024.
struct Shared {
  float4 w[kUnits][32];                     // [block, step, warp]: of each lane
  float x[kGroups][kStages][2][kRows][kHalfRow];  // swizzled, as the copy engine lays it; becomes high(x)
  float x_low[kGroups][2][kRows][kHalfRow];       // the same order
  Exchange exchange[kGroups];
  float bias[kOut];
  MBarrier x_is_there[kGroups][kStages];
};

// W, [out, in], to where it is wanted: lane (g, t) of a unit has rows g and g + 8, at k = t and t + 4. Lane (g, i)
// loads four of k of row g + i % 2 * 8; the four lines of lanes g then lie transposed.
__device__ void load_weight(float4 (&to)[kUnits][32], const float* weight, int in, int out) {
  const int lane = static_cast<int>(threadIdx.x) % 32, g = lane / 4, i = lane % 4;
#pragma unroll 9
  for (int unit = static_cast<int>(threadIdx.x) / 32; unit < kUnits; unit += kThreads / 32) {
    const int j = unit / (4 * kSteps) * 64 + unit % 4 * 16 + g + i % 2 * 8, k = unit / 4 % kSteps * 8 + i / 2 * 4;
    float4 line = {0, 0, 0, 0};
    if (j < out && k < in) line = *reinterpret_cast<const float4*>(weight + static_cast<int64_t>(j) * in + k);
#pragma unroll
    for (int step = 0; step < 4; ++step) {
      const int t = (step + g / 2) % 4;  // so that the lanes write to 32 banks
      reinterpret_cast<float*>(&to[unit][g * 4 + t])[i] = t < 2 ? t ? line.y : line.x : t == 2 ? line.z : line.w;
    }
  }
}

// A NaN or an infinity makes at least one part of it a NaN.
struct Parts {
  float high, low;
  __device__ explicit Parts(float a) : high(bits_float((float_bits(a) + 0x1000) & ~0x1fffu)), low(a - high) {}
};
__device__ void take_apart(float4& here, float4& low) {
  const Parts x(here.x), y(here.y), z(here.z), w(here.w);
  here = {x.high, y.high, z.high, w.high};
  low = {x.low, y.low, z.low, w.low};
}

// x: [rows, in] by map_x, boxes of kRows rows of half a row; weight: [out, in]; bias: [out] or null
template <class Result>
__global__ void __launch_bounds__(kThreads, 1)
    forward_kernel(Result result, const __grid_constant__ TensorMap map_x, const float* weight, const float* bias,
                    int64_t rows, int in, int out) {
  GB_EXTERN_SHARED(char, memory);
  Shared& s = *reinterpret_cast<Shared*>(align_shared(memory, 1024));
  const Place me;
  const Deal deal(rows);
  if (threadIdx.x == 0) {
    for (int i = 0; i < kGroups * kStages; ++i) s.x_is_there[i / kStages][i % kStages].init(1);
    fence_mbarrier_init();
  }
  load_weight(s.w, weight, in, out);
  for (int j = static_cast<int>(threadIdx.x); j < kOut; j += kThreads)
    s.bias[j] = j >= out ? -INFINITY : bias ? bias[j] : 0;
  __syncthreads();

  const auto load_x = [&](int n) {
    if (n >= deal.rounds) return;
    MBarrier& there = s.x_is_there[me.group][n % kStages];
    there.arrive_expect_tx(sizeof s.x[0][0]);
    for (int half = 0; half < 2; ++half)
      tma_load(s.x[me.group][n % kStages][half], &map_x, &there, half * kHalfRow,
               static_cast<int>(deal.first_row(n, me.group)));
  };
  if (me.starts_copies())
    for (int n = 0; n < kStages; ++n) load_x(n);

  const uint64_t of_low = wgmma_descriptor(s.x_low[me.group], Swizzle::Bytes128, 0, kEightRows);
  for (int n = 0; n < deal.rounds; ++n) {
    const int stage = n % kStages;
    const int64_t first_row = deal.first_row(n, me.group);
    int target = -1;  // the loss: it comes while the products run
    if constexpr (Result::kIsLoss) target = result.target_of(first_row, me.lane, rows);
    s.x_is_there[me.group][stage].wait(n / kStages % 2);
    float4* const high = reinterpret_cast<float4*>(s.x[me.group][stage]);
    float4* const low = reinterpret_cast<float4*>(s.x_low[me.group]);
#pragma unroll
    for (int i = static_cast<int>(threadIdx.x) % 128; i < kRows * kIn / 4; i += 128) take_apart(high[i], low[i]);
    fence_proxy_async();
    named_barrier(1 + me.group, 128);

    const uint64_t of_high = wgmma_descriptor(high, Swizzle::Bytes128, 0, kEightRows);
    Logits z;
    const auto load = [&](int i) { return s.w[(i % kBlocks * kSteps + i / kBlocks) * 4 + me.warp][me.lane]; };
    float4 ahead[2] = {load(0), load(1)};  // before they are needed
#pragma unroll
    for (int i = 0; i < kSteps * kBlocks; ++i) {
      const int step = i / kBlocks, b = i % kBlocks;
      const uint32_t at = step / 4 * (kRows * 128) + step % 4 * 32;
      const float4 both = ahead[i % 2];
      const Parts w[4] = {Parts(both.x), Parts(both.y), Parts(both.z), Parts(both.w)};
      if (i + 2 < kSteps * kBlocks) ahead[i % 2] = load(i + 2);
      uint32_t w_high[4], w_low[4];
#pragma unroll
      for (int q = 0; q < 4; ++q) w_high[q] = float_bits(w[q].high), w_low[q] = float_bits(w[q].low);
      wgmma_fence();
      wgmma<kRows, Tf32>(z[b], w_low, advance(of_high, at), step > 0);
      wgmma<kRows, Tf32>(z[b], w_high, advance(of_low, at), true);
      wgmma<kRows, Tf32>(z[b], w_high, advance(of_high, at), true);
      wgmma_commit();
      wgmma_wait<1>();
    }
    float max[kMine];
#pragma unroll
    for (int b = 0; b < kBlocks; ++b) wgmma_wait<0>(z[b]);
    add_bias(z, max, s.bias);

    Exchange& exchange = s.exchange[me.group];
    if constexpr (Result::kIsLoss) say_target(exchange, z, target, n, me);
    exponentials(exchange, z, max, n, me);
    named_barrier(1 + me.group, 128);
    if (me.starts_copies()) load_x(n + kStages);  // all four warps have multiplied
    if constexpr (Result::kIsLoss) {
      write_losses(result, exchange, n, me, first_row, rows);
    } else {
      float factor[kMine];
      find_factors(factor, exchange, n, me);
      store_floats(result.p, z, factor, me, first_row, rows, out);
    }
  }
}

template <class Result>
void launch(const LmHeadCall& a, const void* bias, Result result) {
  TensorMapArgs map;
  map.data = a.x;
  map.sizes[0] = a.in, map.sizes[1] = a.rows;
  map.strides[0] = a.in;
  map.box[0] = kHalfRow, map.box[1] = kRows;
  map.swizzle = Swizzle::Bytes128;
  const int64_t tiles = (a.rows + kRows - 1) / kRows;
  GB_LAUNCH((forward_kernel<Result>), static_cast<unsigned>(std::min<int64_t>(tiles, multiprocessors())), kThreads,
            sizeof(Shared) + 1024, a.stream, result, make_tensor_map(map), static_cast<const float*>(a.weight),
            static_cast<const float*>(bias), a.rows, static_cast<int>(a.in), static_cast<int>(a.out));
}

bool fits(const LmHeadCall& a) {
  return a.dtype == kFloat && a.in <= kIn && a.out <= kOut && a.rows <= (int64_t{1} << 30) &&
         can_map(kFloat, a.x, a.in, a.in) && is_aligned(a.weight) && is_hopper() && may_share(sizeof(Shared) + 1024);
}

}  // namespace

// With allow_tf32, p is rung 4's where it can; but there is no other loss of floats on tensor cores.
bool takes(const LmHeadArgs& a) { return fits(a) && !(a.allow_tf32 && lm_head_04_transposed::takes(a)); }
bool takes(const LinearCrossEntropyArgs& a) { return fits(a); }
size_t scratch(const LmHeadArgs&) { return 0; }
size_t scratch(const LinearCrossEntropyArgs&) { return 0; }

void run(const LmHeadArgs& a) { launch(a, a.bias, Probabilities{static_cast<float*>(a.p)}); }
void run(const LinearCrossEntropyArgs& a) {
  launch(a, a.bias, Loss{static_cast<float*>(a.loss), static_cast<float*>(a.logsumexp), a.target, a.ignore_index});
}

}  // namespace gb::cuda::lm_head_05_3xtf32
