// LM head, rung 4: z^T = W x^T, and e^z at once. Changed: a warpgroup works alone, and waits for no maximum.
//
// Rung 3 needs all three warpgroups for a tile of 64 rows of x: they wait for each other twice, and so do all the same
// thing at the same time. Here W [640, 64], ten blocks of 64 of its rows, is the first operand, and a tile is 24 rows
// of x, the second: m64n24 products, 120 sums in a thread's registers. Only the four warps of a warpgroup share a
// tile. One warpgroup's products, another's exponentials and the third's stores run at the same time.
//
// The maximum is not needed as long as e^z fits: a float reaches from e^-87 to e^88. So a block becomes e^z while the
// next ones are multiplied. Afterwards the sum says whether that was right: from 1 on, and finite, e^z has lost only
// what p would have lost. Else the warpgroup multiplies the tile again, and goes the long way: maximum, exchange, e^(z
// - max). (Infinities, NaN and rows of -inf come there too, and give NaN, as in softmax.)
//
// A thread has 20 columns j of each of 6 rows of x. Its warp adds up by shuffles, the four warps by one exchange
// through shared memory. Then p. Half types: neighbours in registers are neighbours of a column, which stmatrix turns
// as it writes p [24, out] as it lies in memory; one bulk store takes it away, while the next tile is multiplied.
// TF32: W is 160 KB, and p leaves from registers.
//
// clocks for a tile of 24 rows (bfloat16)     memory, at 1/132 of 4.25 TB/s   1690
//                                             shared memory, most of it W     1400
//                                             e^x, 16 for each clock           960
//                                             instructions                    1000
#include <algorithm>
#include <type_traits>

#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/instructions/named_barrier.h"
#include "kernels/cuda/instructions/stmatrix.h"
#include "kernels/cuda/instructions/tma.h"
#include "kernels/cuda/instructions/wgmma.h"
#include "kernels/cuda/lm_head/hopper_head.h"
#include "kernels/cuda/lm_head/rungs.h"
#include "kernels/cuda/softmax/formula.h"
#include "kernels/cuda/softmax/online.h"

namespace gb::cuda::lm_head_04_transposed {
namespace {

constexpr int kRows = 24, kGroups = 3;  // rows of x in a tile; warpgroups, each with tiles of its own
constexpr int kBlocks = 10, kOut = 64 * kBlocks, kBox = 160;  // rows of W: in all; in a box of the copy engine
constexpr int kThreads = 128 * kGroups, kMine = kRows / 4;    // threads; rows of x of which one has logits
using Logits = float[kBlocks][kRows / 2];

template <class T>
constexpr bool kIsHalf = sizeof(T) == 2;  // else TF32: x and W rounded as they come
template <class T>
constexpr int kStages = kIsHalf<T> ? 4 : 2;  // tiles of x of a warpgroup that are there or on their way
template <class T>
constexpr int kRowOfBox = 128 / static_cast<int>(sizeof(T));  // elements that the copy engine swizzles
template <class T>
constexpr int kHalves = kIn / kRowOfBox<T>;  // boxes for a row of x or W

// One block's shared memory; at a multiple of 1024.
template <class T>
struct Shared {
  T w[kHalves<T>][kOut][kRowOfBox<T>];                          // swizzled, as the copy engine lays it
  T x[kGroups][kStages<T>][kHalves<T>][kRows][kRowOfBox<T>];    // swizzled
  alignas(128) T p[kGroups][kIsHalf<T> ? kRows * kOut : 32];    // [kRows][out], as in memory
  alignas(16) char nowhere[kIsHalf<T> ? kThreads : 1][16];      // takes what lies past out
  // What each warp of a warpgroup knows of the rows: sums, of even rounds and odd ones; the long way's maxima and sums.
  alignas(8) float sum[kGroups][2][4][kRows];
  alignas(8) float long_way[kGroups][2][4][kRows];
  float bias[kOut];  // times log2(e); -inf past out
  MBarrier w_is_there, x_is_there[kGroups][kStages<T>], turn[kGroups];
};

// The running thread, within its warpgroup.
struct Place {
  int warp, lane;
  __device__ int row(int e) const { return e / 2 * 8 + lane % 4 * 2 + e % 2; }                // of x, of kMine
  __device__ int finished_row() const { return lane / 8 * 8 + lane % 4 * 2 + lane / 4 % 2; }  // row(lane / 4)
};

// log2(e) times the logit, bias and all; `bias` is multiplied already.
__device__ __forceinline__ float exponent(float z, float bias) { return fmaf(z, kLog2E, bias); }

// Blocks from b on become e^z and are added up, each when its product is done; the products of later ones go on.
template <int b>
__device__ __forceinline__ void exponentials(Logits& z, float (&sum)[kMine], const float (&bias)[kOut]) {
  if constexpr (b < kBlocks) {
    wgmma_wait<kBlocks - b - 1>(z[b]);
    const float of_column[2] = {bias[b * 64 + wgmma_row(0)], bias[b * 64 + wgmma_row(2)]};
#pragma unroll
    for (int i = 0; i < kRows / 2; ++i) {
      z[b][i] = exp2_flushed(exponent(z[b][i], of_column[i / 2 % 2]));
      sum[i / 4 * 2 + i % 2] += z[b][i];
    }
    exponentials<b + 1>(z, sum, bias);
  }
}
// The combination of each row over the eight lanes that share it. A step of all rows, then the next: the compiler keeps
// shuffles in the order written, and those of one row wait for each other.
template <class Op>
__device__ __forceinline__ void across_rows(float (&of_row)[kMine], Op op) {
#pragma unroll
  for (int distance = 4; distance < 32; distance *= 2)
#pragma unroll
    for (int e = 0; e < kMine; ++e) of_row[e] = op(of_row[e], __shfl_xor_sync(kAllLanes, of_row[e], distance));
}
__device__ __forceinline__ void tell(float (&of_warp)[kRows], const float (&of_row)[kMine], const Place& me) {
#pragma unroll
  for (int e = 0; e < kMine; e += 2)  // each eighth of the lanes writes two rows
    if (me.lane / 4 == e / 2) *reinterpret_cast<float2*>(of_warp + me.row(e)) = {of_row[e], of_row[e + 1]};
}
template <class Op>
__device__ float of_warps(const float (&of)[4][kRows], int row, Op op) {
  return op(op(of[0][row], of[1][row]), op(of[2][row], of[3][row]));
}

// p [kRows, out] of shared memory, from registers where neighbours are neighbours of a column.
template <class T>
__device__ __forceinline__ void store_transposed(T* p, char* nowhere, const Logits& z, const float (&factor)[kMine],
                                                 const Place& me, int out) {
  // stmatrix puts line lane % 8 of piece lane / 8 there: of two blocks, the upper and the lower eight columns.
  const int first_column = me.lane / 16 * 64 + me.warp * 16 + me.lane / 8 % 2 * 8;
  T* const first_line = p + me.lane % 8 * out + first_column;
#pragma unroll
  for (int b = 0; b < kBlocks; b += 2) {
    const bool inside = first_column + b * 64 < out;
#pragma unroll
    for (int e = 0; e < kMine; e += 2) {
      uint32_t piece[4];
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        const float* const pair = &z[b + q / 2][e * 2 + q % 2 * 2];
        piece[q] = rounded_pair<T>(pair[0] * factor[e], pair[1] * factor[e + 1]);
      }
      stmatrix_trans(inside ? static_cast<void*>(first_line + e * 4 * out + b * 64) : nowhere, piece);
    }
  }
}

// p [kRows, out] from registers, as TF32's W leaves no place for it in shared memory. Eight lanes write 32 bytes, a
// whole sector.
__device__ __forceinline__ void store_floats(float* p, const Logits& z, const float (&factor)[kMine], const Place& me,
                                             int rows, int out) {
  const int first_column = me.warp * 16 + me.lane / 4;
#pragma unroll
  for (int e = 0; e < kMine; ++e) {
    float* const to = p + me.row(e) * out + first_column;
    const int columns = me.row(e) < rows ? out - first_column : 0;
#pragma unroll
    for (int b = 0; b < kBlocks; ++b)
#pragma unroll
      for (int h = 0; h < 2; ++h)
        if (b * 64 + h * 8 < columns) to[b * 64 + h * 8] = z[b][e / 2 * 4 + h * 2 + e % 2] * factor[e];
  }
}

// x: [rows, in] by map_x, boxes of kRows rows; weight: [out, in] by map_w, boxes of kBox rows; bias: [out] or null
template <class T>
__global__ void __launch_bounds__(kThreads, 1)
    forward_kernel(T* p, const __grid_constant__ TensorMap map_x, const __grid_constant__ TensorMap map_w,
                   const T* bias, int rows, int out) {
  GB_EXTERN_SHARED(char, memory);
  Shared<T>& s = *reinterpret_cast<Shared<T>*>(align_shared(memory, 1024));
  const int thread = static_cast<int>(threadIdx.x);
  // By a shuffle, so that the compiler knows that a warp's lanes agree: else it waits after each product.
  const int group = __shfl_sync(kAllLanes, thread / 128, 0);
  const Place me = {thread / 32 % 4, thread % 32};
  const bool starts_copies = thread % 128 == 0;  // of its warpgroup
  if (thread == 0) {
    s.w_is_there.init(1);
    for (int g = 0; g < kGroups; ++g) {
      s.turn[g].init(4);
      for (int i = 0; i < kStages<T>; ++i) s.x_is_there[g][i].init(1);
    }
    fence_mbarrier_init();
  }
  for (int j = thread; j < kOut; j += kThreads)
    s.bias[j] = j >= out ? -INFINITY : bias ? static_cast<float>(bias[j]) * kLog2E : 0;
  __syncthreads();

  // The tiles are dealt round. All warpgroups go as many rounds, so that turns are kept; past the last tile they are
  // given zeros, and write nothing.
  const int block = static_cast<int>(blockIdx.x), blocks = static_cast<int>(gridDim.x);
  const int of_round = blocks * kGroups * kRows;
  const int rounds = (rows - block * kRows + of_round - 1) / of_round;
  const int of_group = (block + group * blocks) * kRows;  // its first row
  const auto load_x = [&](int n) {
    if (n >= rounds) return;
    s.x_is_there[group][n % kStages<T>].arrive_expect_tx(sizeof s.x[0][0]);
    for (int half = 0; half < kHalves<T>; ++half)
      tma_load(s.x[group][n % kStages<T>][half], &map_x, &s.x_is_there[group][n % kStages<T>], half * kRowOfBox<T>,
               of_group + n * of_round);
  };
  if (thread == 0) {
    s.w_is_there.arrive_expect_tx(sizeof s.w);
    for (int half = 0; half < kHalves<T>; ++half)
      for (int j = 0; j < kOut; j += kBox) tma_load(s.w[half][j], &map_w, &s.w_is_there, half * kRowOfBox<T>, j);
  }
  if (starts_copies)
    for (int n = 0; n < kStages<T>; ++n) load_x(n);

  const uint64_t of_w = wgmma_descriptor(s.w, Swizzle::Bytes128, 0, kEightRows);
  Logits z;  // [j, x's row]
  using Product = std::conditional_t<kIsHalf<T>, T, Tf32>;
  const auto multiply = [&](int stage) {
    const uint64_t of_x = wgmma_descriptor(s.x[group][stage], Swizzle::Bytes128, 0, kEightRows);
    wgmma_fence();
#pragma unroll
    for (int b = 0; b < kBlocks; ++b) {
#pragma unroll
      for (int half = 0; half < kHalves<T>; ++half)
#pragma unroll
        for (int k = 0; k < 128; k += 32)
          wgmma<kRows, Product>(z[b], advance(of_w, (half * kOut + b * 64) * 128 + k),
                                advance(of_x, half * kRows * 128 + k), half + k > 0);
      wgmma_commit();
    }
  };

  const int row = me.finished_row();  // each lane finds 1 / sum of one row of the tile
  s.w_is_there.wait(0);
  for (int n = 0; n < rounds; ++n) {
    // Products in turn, so that the warpgroups stay a third of a tile apart: 103 us, else 117, for 262,144 rows.
    s.turn[group].wait((group == 0 ? n + 1 : n) % 2);
    s.x_is_there[group][n % kStages<T>].wait(n / kStages<T> % 2);
    multiply(n % kStages<T>);
    if (me.lane == 0) s.turn[(group + 1) % kGroups].arrive();
    float sum[kMine] = {};
    exponentials<0>(z, sum, s.bias);
    across_rows(sum, Plus());
    tell(s.sum[group][n % 2][me.warp], sum, me);
    if (kIsHalf<T> && starts_copies) bulk_wait_read<0>();  // the place of p is free again
    named_barrier(1 + group, 128);

    float of_row = row < kRows ? of_warps(s.sum[group][n % 2], row, Plus()) : 1;
    if (!__all_sync(kAllLanes, of_row >= 1 && of_row < INFINITY)) {  // all four warps see the same sums
      multiply(n % kStages<T>);  // the long way
      float max[kMine];
#pragma unroll
      for (int b = 0; b < kBlocks; ++b) {
        wgmma_wait<0>(z[b]);
        const float of_column[2] = {s.bias[b * 64 + wgmma_row(0)], s.bias[b * 64 + wgmma_row(2)]};
#pragma unroll
        for (int i = 0; i < kRows / 2; ++i) {
          float& most = max[i / 4 * 2 + i % 2];
          z[b][i] = exponent(z[b][i], of_column[i / 2 % 2]);
          most = b == 0 && i / 2 % 2 == 0 ? z[b][i] : Larger()(most, z[b][i]);
        }
      }
      across_rows(max, Larger());
      tell(s.long_way[group][0][me.warp], max, me);
      named_barrier(1 + group, 128);
#pragma unroll
      for (int e = 0; e < kMine; ++e) max[e] = base_of(of_warps(s.long_way[group][0], me.row(e), Larger())), sum[e] = 0;
#pragma unroll
      for (int b = 0; b < kBlocks; ++b)
#pragma unroll
        for (int i = 0; i < kRows / 2; ++i) {
          z[b][i] = exp2_flushed(z[b][i] - max[i / 4 * 2 + i % 2]);
          sum[i / 4 * 2 + i % 2] += z[b][i];
        }
      across_rows(sum, Plus());
      tell(s.long_way[group][1][me.warp], sum, me);
      named_barrier(1 + group, 128);
      if (row < kRows) of_row = of_warps(s.long_way[group][1], row, Plus());
    }
    if (starts_copies) load_x(n + kStages<T>);  // all four warps have multiplied

    of_row = 1 / of_row;
    float factor[kMine];
#pragma unroll
    for (int e = 0; e < kMine; ++e) factor[e] = __shfl_sync(kAllLanes, of_row, e * 4 + me.lane % 4);
    const int first_row = of_group + n * of_round, here = min(kRows, rows - first_row);
    if constexpr (kIsHalf<T>) {
      store_transposed(s.p[group], s.nowhere[thread], z, factor, me, out);
      fence_proxy_async();
      named_barrier(1 + group, 128);
      if (starts_copies && here > 0) {
        bulk_store(p + int64_t{first_row} * out, s.p[group], static_cast<uint32_t>(here * out) * sizeof(T));
        bulk_commit();
      }
    } else {
      store_floats(p + int64_t{first_row} * out, z, factor, me, here, out);
    }
  }
  if (kIsHalf<T> && starts_copies) bulk_wait<0>();
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
  const int64_t tiles = (a.rows + kRows - 1) / kRows;
  GB_LAUNCH((forward_kernel<T>), static_cast<unsigned>(std::min<int64_t>(tiles, multiprocessors())), kThreads,
            sizeof(Shared<T>) + 1024, a.stream, static_cast<T*>(a.p), map_of<T>(a, a.x, a.rows, kRows),
            map_of<T>(a, a.weight, a.out, kBox), static_cast<const T*>(a.bias), static_cast<int>(a.rows),
            static_cast<int>(a.out));
}

}  // namespace

bool takes(const LmHeadArgs& a) {
  const bool half = a.dtype == kHalf || a.dtype == kBFloat16, tf32 = a.dtype == kFloat && a.allow_tf32;
  return (half || tf32) && a.in <= kIn && a.out <= kOut && a.out % 8 == 0 &&
         a.rows <= (int64_t{1} << 30) && can_map(a.dtype, a.x, a.in, a.in) &&
         can_map(a.dtype, a.weight, a.in, a.in) && is_aligned(a.p) && is_hopper() &&
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

}  // namespace gb::cuda::lm_head_04_transposed
