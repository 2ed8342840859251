// LM head, rung 4: z^T = W x^T. Changed: W is the operand of 64 rows, so a warpgroup has few rows of x, and works alone.
//
// Rung 3 needs all three warpgroups for a tile of 64 rows of x: they wait for each other twice, and so do all the same
// thing at the same time. Here W [640, 64], ten blocks of 64 of its rows, is the first operand, and a tile is 24 rows of x,
// the second: m64n24 products, 120 sums in a thread's registers. Only the four warps of a warpgroup share a tile. One
// warpgroup's products, another's exponentials and the third's stores run at the same time.
//
// A thread has 20 columns j of each of 6 rows of x. Its warp agrees on their (m, sum) by shuffles, the four warps by one
// exchange through shared memory. Then p: neighbours in registers are neighbours of a column, which stmatrix turns as it
// writes p [24, out] as it lies in memory; one bulk store takes it away, while the next tile is multiplied.
//
//   clocks for a tile of 24 rows (bfloat16)     memory, at 1/132 of 4.25 TB/s   1690
//                                               shared memory, most of it W     1350
//                                               e^x, 16 for each clock           960
//                                               product                          900
#include "kernels/cuda/instructions/named_barrier.h"
#include "kernels/cuda/instructions/stmatrix.h"
#include "kernels/cuda/instructions/tma.h"
#include "kernels/cuda/lm_head/rungs.h"
#include "kernels/cuda/lm_head/transposed.h"

namespace gb::cuda::lm_head_04_transposed {
namespace {

constexpr bool kTurns = true;
constexpr int kGroup = kBlocks / 2;  // blocks whose products are waited for together

// How the elements of x, W and p are multiplied.
template <class T>
struct Kind {
  using Product = T;
  using Exp = HalfRowExp;  // its rounding cancels: all of a row's exponentials are moved by Exp::move
  static constexpr int kStages = 4;  // tiles of x of a warpgroup that are there or on their way
};
template <>
struct Kind<float> {  // rounded to TF32 as they come
  using Product = Tf32;
  using Exp = RowExp<float>;
  static constexpr int kStages = 2;
};
template <class T>
constexpr int kRowOfBox = 128 / static_cast<int>(sizeof(T));  // elements that the copy engine swizzles
template <class T>
constexpr int kHalves = kIn / kRowOfBox<T>;  // boxes for a row of x or W
template <class T>
constexpr bool kStaged = sizeof(T) == 2;  // p has a place in shared memory

// One block's shared memory; at a multiple of 1024.
template <class T>
struct Shared {
  T w[kHalves<T>][kOut][kRowOfBox<T>];                               // swizzled, as the copy engine lays it
  T x[kGroups][Kind<T>::kStages][kHalves<T>][kRows][kRowOfBox<T>];  // swizzled
  alignas(128) T p[kGroups][kStaged<T> ? kRows * kOut : 16];        // [kRows][out], as in memory
  alignas(16) char nowhere[kStaged<T> ? kThreads : 1][16];          // takes what lies past out
  Exchange exchange[kGroups];
  float bias[kOut];
  MBarrier w_is_there, x_is_there[kGroups][Kind<T>::kStages], turn[kGroups];
};

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

// x: [rows, in] by map_x, boxes of kRows rows; weight: [out, in] by map_w, boxes of kBox rows; bias: [out] or null
template <class T, class Result>
__global__ void __launch_bounds__(kThreads, 1)
    forward_kernel(Result result, const __grid_constant__ TensorMap map_x, const __grid_constant__ TensorMap map_w,
                   const T* bias, int64_t rows, int out) {
  using Exp = typename Kind<T>::Exp;
  constexpr int kStages = Kind<T>::kStages;
  constexpr bool kStores = !Result::kIsLoss && kStaged<T>;  // p goes through shared memory
  GB_EXTERN_SHARED(char, memory);
  Shared<T>& s = *reinterpret_cast<Shared<T>*>(align_shared(memory, 1024));
  const Place me;
  const Deal deal(rows);
  if (threadIdx.x == 0) {
    s.w_is_there.init(1);
    for (int g = 0; g < kGroups; ++g) {
      s.turn[g].init(4);
      for (int i = 0; i < kStages; ++i) s.x_is_there[g][i].init(1);
    }
    fence_mbarrier_init();
  }
  load_bias(s.bias, bias, out);
  __syncthreads();

  const auto load_x = [&](int n) {
    if (n >= deal.rounds) return;
    MBarrier& there = s.x_is_there[me.group][n % kStages];
    there.arrive_expect_tx(sizeof s.x[0][0]);
    for (int half = 0; half < kHalves<T>; ++half)
      tma_load(s.x[me.group][n % kStages][half], &map_x, &there, half * kRowOfBox<T>,
               static_cast<int>(deal.first_row(n, me.group)));
  };
  if (threadIdx.x == 0) {
    s.w_is_there.arrive_expect_tx(sizeof s.w);
    for (int half = 0; half < kHalves<T>; ++half)
      for (int j = 0; j < kOut; j += kBox) tma_load(s.w[half][j], &map_w, &s.w_is_there, half * kRowOfBox<T>, j);
  }
  if (me.starts_copies())
    for (int n = 0; n < kStages; ++n) load_x(n);

  const uint64_t of_w = wgmma_descriptor(s.w, Swizzle::Bytes128, 0, kEightRows);
  s.w_is_there.wait(0);
  for (int n = 0; n < deal.rounds; ++n) {
    const int stage = n % kStages;
    const int64_t first_row = deal.first_row(n, me.group);
    int target = -1;  // the loss: it comes while the products run
    if constexpr (Result::kIsLoss) target = result.target_of(first_row, me.lane, rows);
    if (kTurns) s.turn[me.group].wait((me.group == 0 ? n + 1 : n) % 2);
    s.x_is_there[me.group][stage].wait(n / kStages % 2);
    const uint64_t of_x = wgmma_descriptor(s.x[me.group][stage], Swizzle::Bytes128, 0, kEightRows);
    Logits z;
    wgmma_fence();
#pragma unroll
    for (int first = 0; first < kBlocks; first += kGroup) {  // two groups: the first is looked at while the second is made
#pragma unroll
      for (int half = 0; half < kHalves<T>; ++half)
#pragma unroll
        for (int k = 0; k < 128; k += 32)
#pragma unroll
          for (int b = first; b < first + kGroup; ++b)
            wgmma<kRows, typename Kind<T>::Product>(z[b], advance(of_w, (half * kOut + b * 64) * 128 + k),
                                                    advance(of_x, half * kRows * 128 + k), half + k > 0);
      wgmma_commit();
    }
    if (kTurns && me.lane == 0) s.turn[(me.group + 1) % kGroups].arrive();
    float max[kMine];
    wait_for_blocks<1, 0, kGroup>(z);
    add_bias<0, kGroup>(z, max, s.bias);
    wait_for_blocks<0, kGroup, kBlocks>(z);
    add_bias<kGroup, kBlocks>(z, max, s.bias);

    Exchange& exchange = s.exchange[me.group];
    if constexpr (Result::kIsLoss) say_target(exchange, z, target, n, me);
    exponentials<Exp>(exchange, z, max, n, me);
    if (kStores && me.starts_copies()) bulk_wait_read<0>();  // the place of p is free again
    named_barrier(1 + me.group, 128);
    if (me.starts_copies()) load_x(n + kStages);  // all four warps have multiplied

    if constexpr (Result::kIsLoss) {
      write_losses<Exp>(result, exchange, n, me, first_row, rows);
    } else {
      float factor[kMine];
      find_factors<Exp>(factor, exchange, n, me);
      if constexpr (kStores) {
        store_transposed(s.p[me.group], s.nowhere[threadIdx.x], z, factor, me, out);
        fence_proxy_async();
        named_barrier(1 + me.group, 128);
        const int64_t here = min(int64_t{kRows}, rows - first_row);
        if (me.starts_copies() && here > 0) {
          bulk_store(result.p + first_row * out, s.p[me.group], static_cast<uint32_t>(here * out * sizeof(T)));
          bulk_commit();
        }
      } else {
        store_floats(result.p, z, factor, me, first_row, rows, out);
      }
    }
  }
  if (kStores && me.starts_copies()) bulk_wait<0>();
}

template <class T>
TensorMap map_of(const LmHeadCall& a, const void* data, int64_t rows, int box_rows) {
  TensorMapArgs map;
  map.dtype = a.dtype;
  map.to_tf32 = sizeof(T) == 4;
  map.data = data;
  map.sizes[0] = a.in, map.sizes[1] = rows;
  map.strides[0] = a.in;
  map.box[0] = kRowOfBox<T>, map.box[1] = box_rows;
  map.swizzle = Swizzle::Bytes128;
  return make_tensor_map(map);
}
template <class T, class Result>
void launch(const LmHeadCall& a, const void* bias, Result result) {
  const int64_t tiles = (a.rows + kRows - 1) / kRows;
  GB_LAUNCH((forward_kernel<T, Result>), static_cast<unsigned>(std::min<int64_t>(tiles, multiprocessors())),
            kThreads, sizeof(Shared<T>) + 1024, a.stream, result, map_of<T>(a, a.x, a.rows, kRows),
            map_of<T>(a, a.weight, a.out, kBox), static_cast<const T*>(bias), a.rows, static_cast<int>(a.out));
}

bool fits(const LmHeadCall& a) {
  const bool half = a.dtype == kHalf || a.dtype == kBFloat16;
  return (half || a.dtype == kFloat) && a.in <= kIn && a.out <= kOut && a.rows <= (int64_t{1} << 30) &&
         can_map(a.dtype, a.x, a.in, a.in) && can_map(a.dtype, a.weight, a.in, a.in) && is_hopper() &&
         may_share(std::max(sizeof(Shared<Half>), sizeof(Shared<float>)) + 1024);
}
// run(zero of the element type)
template <class Run>
void visit(const LmHeadCall& a, Run run) {
  if (a.dtype == kHalf)
    run(Half());
  else if (a.dtype == kBFloat16)
    run(BFloat16());
  else
    run(0.f);
}

}  // namespace

bool takes(const LmHeadArgs& a) {
  return fits(a) && (a.dtype == kFloat ? true : a.out % 8 == 0 && is_aligned(a.p));  // the bulk store's
}
bool takes(const LinearCrossEntropyArgs& a) { return fits(a); }
size_t scratch(const LmHeadArgs&) { return 0; }
size_t scratch(const LinearCrossEntropyArgs&) { return 0; }

void run(const LmHeadArgs& a) {
  if (a.dtype == kFloat && !a.allow_tf32) return run_accurate(a, a.bias, Probabilities<float>{static_cast<float*>(a.p)});
  visit(a, [&](auto zero) {
    using T = decltype(zero);
    launch<T>(a, a.bias, Probabilities<T>{static_cast<T*>(a.p)});
  });
}
void run(const LinearCrossEntropyArgs& a) {
  const Loss loss{static_cast<float*>(a.loss), static_cast<float*>(a.logsumexp), a.target, a.ignore_index};
  if (a.dtype == kFloat && !a.allow_tf32) return run_accurate(a, a.bias, loss);
  visit(a, [&](auto zero) { launch<decltype(zero)>(a, a.bias, loss); });
}

}  // namespace gb::cuda::lm_head_04_transposed
