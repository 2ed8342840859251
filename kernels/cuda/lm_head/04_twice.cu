// LM head, rung 4: the product is made twice. Changed: no logit is kept, so a warp needs nobody else.
//
// Rung 3 keeps 600 logits of a row in the registers of three warps, which share 64 rows and wait for each other twice. Here
// a warp goes through W in chunks of 120 columns and keeps of its 16 rows only (max, sum), "online". Then it multiplies
// again, and now every logit becomes e^(z - max) / sum at once. The tensor cores have the time. The four warps of a
// warpgroup meet in wgmma and nowhere else; x, p and all barriers are a warp's own.
//
//   clocks for 64 rows (bfloat16)     memory, at 1/132 of 4.25 TB/s   4500
//                                     e^x twice, 16 for each clock    4800
//                                     product twice                   3000
//                                     shared memory                   2700
//                                     instructions                    2900
//
// The bias is one more step along k: times a column of ones, exact in its own half type. Half types: p goes through shared
// memory, and the copy engine takes away a box of 16 rows by 120 columns. TF32: W is 154 KB, and p leaves from registers, 32
// bytes of each row.
#include <algorithm>

#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/instructions/mma_sync.h"
#include "kernels/cuda/instructions/tma.h"
#include "kernels/cuda/instructions/wgmma.h"
#include "kernels/cuda/lm_head/hopper_head.h"
#include "kernels/cuda/lm_head/rungs.h"
#include "kernels/cuda/softmax/formula.h"
#include "kernels/cuda/softmax/online.h"

namespace gb::cuda::lm_head_04_twice {
namespace {

constexpr int kChunk = 120, kChunks = 5, kOut = kChunk * kChunks;  // columns
constexpr int kRows = 16;  // of x, that a warp has at a time

template <class T>
struct Kind {
  using Product = T;
  using Exp = HalfRowExp;  // its rounding cancels: all of a row's exponentials are moved by Exp::move
  static constexpr int kGroups = 4;
};
template <>
struct Kind<float> {  // rounded to TF32 as they come
  using Product = Tf32;
  using Exp = RowExp<float>;
  static constexpr int kGroups = 3;
};
template <class T>
constexpr int kThreads = 128 * Kind<T>::kGroups;
template <class T>
constexpr int kWarps = kThreads<T> / 32;
template <class T>
constexpr int kRowOfBox = 128 / static_cast<int>(sizeof(T));  // elements that the copy engine swizzles
template <class T>
constexpr int kHalves = kIn / kRowOfBox<T>;  // boxes for a row of x or W
template <class T>
constexpr int kSteps = 4 * kHalves<T>;  // products along k
template <class T>
constexpr bool kIsHalf = sizeof(T) == 2;

// One block's shared memory; at a multiple of 1024.
template <class T>
struct Shared {
  T w[kHalves<T>][kOut][kRowOfBox<T>];              // swizzled, as the copy engine lays it
  T x[kWarps<T>][kHalves<T>][kRows][kRowOfBox<T>];  // swizzled
  alignas(128) T p[kWarps<T>][kIsHalf<T> ? kRows * kChunk : 64];
  // Half types: an operand of 16 along k, without a swizzle; [k / 8][j][k % 8], the bias at k = 0, -inf past out.
  alignas(16) T bias[kIsHalf<T> ? 2 : 1][kOut][kIsHalf<T> ? 8 : 1];
  MBarrier w_is_there, x_is_there[kWarps<T>];
};

// A warp's rows of x as the registers of the first operand.
template <class T>
__device__ __forceinline__ void load_x(uint32_t (&a)[kSteps<T>][4], const T (&x)[kHalves<T>][kRows][kRowOfBox<T>], int lane) {
  const int row = lane % 16, piece = lane / 16;  // 16 bytes; ldmatrix takes eight rows, the next eight, then the next piece
#pragma unroll
  for (int step = 0; step < kSteps<T>; ++step) {
    const uint32_t at = swizzled(static_cast<uint32_t>(row * 128 + (step % 4 * 2 + piece) * 16), Swizzle::Bytes128);
    ldmatrix(a[step], reinterpret_cast<const char*>(x[step / 4]) + at);
  }
}

// x: [rows, in] by map_x, boxes of kRows rows; weight: [out, in] by map_w, boxes of kChunk rows; bias: [out] or null;
// p: [rows, out], of half types by map_p, boxes of kRows rows by kChunk
template <class T>
__global__ void __launch_bounds__(kThreads<T>, 1)
    forward_kernel(T* p, const __grid_constant__ TensorMap map_x, const __grid_constant__ TensorMap map_w,
                   const __grid_constant__ TensorMap map_p, const T* bias, int64_t rows, int out) {
  using Exp = typename Kind<T>::Exp;
  GB_EXTERN_SHARED(char, memory);
  Shared<T>& s = *reinterpret_cast<Shared<T>*>(align_shared(memory, 1024));
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  const int warp = __shfl_sync(kAllLanes, thread / 32, 0);  // so that the compiler knows that the lanes agree
  const int chunks = (out + kChunk - 1) / kChunk;
  if (thread == 0) {
    s.w_is_there.init(1);
    for (MBarrier& barrier : s.x_is_there) barrier.init(1);
    fence_mbarrier_init();
  }
  for (int j = thread; j < kOut; j += kThreads<T>) {
    if constexpr (kIsHalf<T>) {
      for (int k = 0; k < 16; ++k) s.bias[k / 8][j][k % 8] = T(0.f);
      s.bias[0][j][0] = j >= out ? T(-INFINITY) : bias ? bias[j] : T(0.f);
    } else {
      s.bias[0][j][0] = j >= out ? -INFINITY : bias ? bias[j] : 0;
    }
  }
  fence_proxy_async();
  __syncthreads();

  // Every warp goes as many rounds, as the four of a warpgroup multiply together; past the last row they get zeros.
  const int64_t of_round = static_cast<int64_t>(gridDim.x) * kWarps<T> * kRows;
  const int64_t of_block = (static_cast<int64_t>(blockIdx.x) * kWarps<T> + warp) * kRows;  // the warp's first row
  const int rounds = static_cast<int>((rows - (of_block - warp * kRows) + of_round - 1) / of_round);
  const auto fetch_x = [&](int n) {
    if (n >= rounds) return;
    s.x_is_there[warp].arrive_expect_tx(sizeof s.x[0]);
    for (int half = 0; half < kHalves<T>; ++half)
      tma_load(s.x[warp][half], &map_x, &s.x_is_there[warp], half * kRowOfBox<T>,
               static_cast<int>(of_block + n * of_round));
  };
  if (thread == 0) {
    s.w_is_there.arrive_expect_tx(static_cast<uint32_t>(chunks * kHalves<T>) * kChunk * 128);
    for (int half = 0; half < kHalves<T>; ++half)
      for (int c = 0; c < chunks; ++c)
        tma_load(s.w[half][c * kChunk], &map_w, &s.w_is_there, half * kRowOfBox<T>, c * kChunk);
  }
  if (lane == 0) fetch_x(0);

  const uint64_t of_w = wgmma_descriptor(s.w, Swizzle::Bytes128, 0, kEightRows);
  const uint64_t of_bias = wgmma_descriptor(s.bias, Swizzle::None, sizeof s.bias[0], 128);
  uint32_t ones[4] = {};  // a column of ones: the first of 16
  if constexpr (kIsHalf<T>) ones[0] = ones[1] = lane % 4 == 0 ? rounded_pair<T>(1, 0) : 0;
  uint32_t x[kSteps<T>][4];
  float z[kChunk / 2];  // a chunk's logits: of row lane / 4, and of the row eight below
  const auto multiply = [&](int c) {
    wgmma_fence();
    if constexpr (kIsHalf<T>) wgmma<kChunk, T>(z, ones, advance(of_bias, c * kChunk * 16), false);
#pragma unroll
    for (int step = 0; step < kSteps<T>; ++step)
      wgmma<kChunk, typename Kind<T>::Product>(
          z, x[step], advance(of_w, (step / 4 * kOut + c * kChunk) * 128 + step % 4 * 32), kIsHalf<T> || step > 0);
    wgmma_commit();
    wgmma_wait<0>(z);
    if constexpr (!kIsHalf<T>) {
#pragma unroll
      for (int i = 0; i < kChunk / 2; i += 4) {  // two neighbours in both rows
        const float2 here = *reinterpret_cast<const float2*>(&s.bias[0][c * kChunk + wgmma_column(i)][0]);
        z[i] += here.x, z[i + 1] += here.y, z[i + 2] += here.x, z[i + 3] += here.y;
      }
    }
  };

  s.w_is_there.wait(0);
  for (int n = 0; n < rounds; ++n) {
    const int64_t first_row = of_block + n * of_round;
    s.x_is_there[warp].wait(n % 2);
    load_x<T>(x, s.x[warp], lane);
    __syncwarp();
    if (lane == 0) fetch_x(n + 1);

    float max[2] = {-INFINITY, -INFINITY}, sum[2] = {0, 0};
#pragma unroll 1
    for (int c = 0; c < chunks; ++c) {
      multiply(c);
      float before[2] = {max[0], max[1]};
#pragma unroll
      for (int i = 0; i < kChunk / 2; ++i) max[i / 2 % 2] = Larger()(max[i / 2 % 2], z[i]);
      const float base[2] = {base_of(max[0]), base_of(max[1])};
#pragma unroll
      for (int h = 0; h < 2; ++h) sum[h] *= Exp::move(before[h], base[h]);
#pragma unroll
      for (int i = 0; i < kChunk / 2; ++i) sum[i / 2 % 2] += Exp::of(z[i], base[i / 2 % 2]);
    }
    float base[2], factor[2];
#pragma unroll
    for (int h = 0; h < 2; ++h) {  // four lanes share a row
      const float mine = max[h];
      base[h] = base_of(across_lanes<4>(mine, Larger()));
      factor[h] = 1 / across_lanes<4>(sum[h] * Exp::move(mine, base[h]), Plus());
    }
#pragma unroll 1
    for (int c = 0; c < chunks; ++c) {
      multiply(c);
#pragma unroll
      for (int i = 0; i < kChunk / 2; ++i) z[i] = Exp::of(z[i], base[i / 2 % 2]) * factor[i / 2 % 2];
      if constexpr (kIsHalf<T>) {
        if (lane == 0) bulk_wait_read<0>();  // the place of p is free again
        __syncwarp();
        T* const to = s.p[warp] + lane / 4 * kChunk + lane % 4 * 2;  // the rows of 240 bytes begin in different banks
#pragma unroll
        for (int i = 0; i < kChunk / 2; i += 2)
          *reinterpret_cast<uint32_t*>(to + i / 2 % 2 * 8 * kChunk + i / 4 * 8) = rounded_pair<T>(z[i], z[i + 1]);
        fence_proxy_async();
        __syncwarp();
        if (lane == 0 && first_row < rows) {
          tma_store(&map_p, s.p[warp], c * kChunk, static_cast<int>(first_row));
          bulk_commit();
        }
      } else {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const int64_t row = first_row + lane / 4 + h * 8;
          const int columns = row < rows ? out - c * kChunk - lane % 4 * 2 : 0;
          float* const to = p + row * out + c * kChunk + lane % 4 * 2;
#pragma unroll
          for (int i = 2 * h; i < kChunk / 2; i += 4)
            if (i / 4 * 8 < columns) *reinterpret_cast<float2*>(to + i / 4 * 8) = {z[i], z[i + 1]};
        }
      }
    }
  }
  if (kIsHalf<T> && lane == 0) bulk_wait<0>();
}

template <class T>
TensorMap map_of(const LmHeadCall& a, const void* data, int64_t rows, int box_rows) {
  TensorMapArgs map;
  map.dtype = a.dtype;
  map.to_tf32 = !kIsHalf<T>;
  map.data = data;
  map.sizes[0] = a.in, map.sizes[1] = rows;
  map.strides[0] = a.in;
  map.box[0] = kRowOfBox<T>, map.box[1] = box_rows;
  map.swizzle = Swizzle::Bytes128;
  return make_tensor_map(map);
}
template <class T>
void launch(const LmHeadArgs& a) {
  TensorMap map_p = {};
  if constexpr (kIsHalf<T>) {
    TensorMapArgs map;
    map.dtype = a.dtype;
    map.data = a.p;
    map.sizes[0] = a.out, map.sizes[1] = a.rows;
    map.strides[0] = a.out;
    map.box[0] = kChunk, map.box[1] = kRows;
    map_p = make_tensor_map(map);
  }
  const int64_t of_block = kWarps<T> * kRows, blocks = (a.rows + of_block - 1) / of_block;
  GB_LAUNCH((forward_kernel<T>), static_cast<unsigned>(std::min<int64_t>(blocks, multiprocessors())), kThreads<T>,
            sizeof(Shared<T>) + 1024, a.stream, static_cast<T*>(a.p), map_of<T>(a, a.x, a.rows, kRows),
            map_of<T>(a, a.weight, a.out, kChunk), map_p, static_cast<const T*>(a.bias), a.rows,
            static_cast<int>(a.out));
}

}  // namespace

bool takes(const LmHeadArgs& a) {
  const bool half = a.dtype == kHalf || a.dtype == kBFloat16, tf32 = a.dtype == kFloat && a.allow_tf32;
  return (half || tf32) && a.in <= kIn && a.out <= kOut && a.out % 8 == 0 && a.rows <= (int64_t{1} << 30) &&
         can_map(a.dtype, a.x, a.in, a.in) && can_map(a.dtype, a.weight, a.in, a.in) && is_aligned(a.p) && is_hopper() &&
         may_share(std::max(sizeof(Shared<Half>), sizeof(Shared<float>)) + 1024);
}
size_t scratch(const LmHeadArgs&) { return 0; }

void run(const LmHeadArgs& a) {
  if (a.dtype == kHalf)
    launch<Half>(a);
  else if (a.dtype == kBFloat16)
    launch<BFloat16>(a);
  else
    launch<float>(a);
}

}  // namespace gb::cuda::lm_head_04_twice
