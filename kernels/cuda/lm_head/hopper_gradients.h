// From dz of a tile of 32 rows, in shared memory, to dx, dW and db: what the backwards of rung 3 share.
//
//   dW^T [in, out] += x^T [in, 32] dz [32, out]      dx^T [in, 32] = W^T [in, out] dz^T [out, 32]
//
// Transposed, because wgmma makes 64 rows of a result: `in` is 64, a tile has but 32 rows. So two tiles of dz fit
// beside W, and the three warpgroups can be of two kinds: the first two multiply one tile while the third makes the
// next. dW^T stays in the registers of the first two for all tiles of a block, 320 columns of it in one, 280 in the
// other, which makes dx too. The third adds up the columns of dz: it has them in registers.
#pragma once

#include <algorithm>

#include "kernels/cuda/element.h"
#include "kernels/cuda/instructions/mbarrier.h"
#include "kernels/cuda/instructions/named_barrier.h"
#include "kernels/cuda/instructions/registers.h"
#include "kernels/cuda/instructions/tma.h"
#include "kernels/cuda/instructions/wgmma.h"
#include "kernels/cuda/lm_head/hopper_head.h"

namespace gb::cuda {

inline constexpr int kRows = 32;                                   // of a tile
inline constexpr int kWeightRows = 640, kWeightBox = 160;          // of W, zeros past out; of a box
inline constexpr int kAlongColumns = 38;                           // products along k of dx: 608 columns
inline constexpr int kGradientThreads = 384, kMakers = 128;        // of a block; those that make dz
inline constexpr int kMakerWarps = kMakers / 32, kMultiplierWarps = (kGradientThreads - kMakers) / 32;
// 384 threads begin with 168 each. Two sets of 160 and of 156 sums, and 28 registers beside them.
inline constexpr int kMultiplierRegisters[2] = {192, 184}, kMakerRegisters = 128;

// How tiles of dz lie in shared memory, and how many tiles of x. By rows: as ten blocks of 32 rows by 64 columns, 128
// bytes a row, swizzled.
struct DzByRows {
  static constexpr int kStages = 2;
  static constexpr Swizzle kSwizzle = Swizzle::Bytes128;
  static constexpr uint32_t kBytes = 10 * kRows * 128;
  static constexpr uint32_t kEight = 8 * 128;                      // eight rows
  static constexpr uint32_t kNextColumns = kRows * 128;            // from 64 columns to the next
  static constexpr Major kInDw = Major::MN, kInDx = Major::K;      // contiguous along columns
  static constexpr uint32_t kStepInDw = 2 * kEight;                // 16 rows
  // Where column j begins, a multiple of 64; where product k along the columns begins, of 16 each.
  __device__ static constexpr uint32_t column(int j) { return static_cast<uint32_t>(j) / 64 * kNextColumns; }
  __device__ static constexpr uint32_t step_in_dx(int k) {
    return column(k / 4 * 64) + static_cast<uint32_t>(k) % 4 * 32;
  }
};

// By columns: 640 of them, the 64 bytes of each swizzled.
struct DzByColumns {
  static constexpr int kStages = 4;
  static constexpr Swizzle kSwizzle = Swizzle::Bytes64;
  static constexpr uint32_t kBytes = kWeightRows * 64;
  static constexpr uint32_t kEight = 8 * 64, kNextColumns = 0;  // eight columns; wgmma has no use for the other here
  static constexpr Major kInDw = Major::K, kInDx = Major::MN;   // contiguous along rows
  static constexpr uint32_t kStepInDw = 32;
  __device__ static constexpr uint32_t column(int j) { return static_cast<uint32_t>(j) * 64; }
  __device__ static constexpr uint32_t step_in_dx(int k) { return column(16 * k); }
};

// At a multiple of 1024 of shared memory.
template <class T, class Layout>
struct GradientTiles {
  T w[kWeightRows][kIn];         // swizzled, as x
  char dz[2][Layout::kBytes];    // zeros past out, put there by who makes dz
  T x[Layout::kStages][kRows][kIn];
  MBarrier w_is_there, x_is_there[Layout::kStages], dz_is_there[2], dz_is_free[2];
};

// The rows of the running block: as many as the others have, or one more.
struct BlockRows {
  int first, last, tiles;
  __device__ explicit BlockRows(int rows) {
    const auto bound = [rows](unsigned block) {
      return static_cast<int>(static_cast<int64_t>(rows) * block / gridDim.x);
    };
    first = bound(blockIdx.x), last = bound(blockIdx.x + 1);
    tiles = (last - first + kRows - 1) / kRows;
  }
};

// Blocks that stay: one for each multiprocessor, where there are tiles enough.
inline unsigned blocks_of(const LmHeadCall& a) {
  return static_cast<unsigned>(std::min<int64_t>((a.rows + kRows - 1) / kRows, multiprocessors()));
}

// One thread, before a barrier.
template <class T, class Layout>
__device__ void init_barriers(GradientTiles<T, Layout>& s) {
  s.w_is_there.init(1);
  for (MBarrier& barrier : s.x_is_there) barrier.init(1);
  for (int i = 0; i < 2; ++i) {
    s.dz_is_there[i].init(kMakerWarps);
    s.dz_is_free[i].init(kMultiplierWarps);
  }
  fence_mbarrier_init();
}

// One thread: starts the copy of W; and of the block's tile number n of x. It takes the place of x of tile n - kStages.
template <class T, class Layout>
__device__ void load_w(GradientTiles<T, Layout>& s, const TensorMap* map) {
  s.w_is_there.arrive_expect_tx(sizeof s.w);
  for (int i = 0; i < 4; ++i) tma_load(s.w[i * kWeightBox], map, &s.w_is_there, 0, i * kWeightBox);
}
template <class T, class Layout>
__device__ void load_x(GradientTiles<T, Layout>& s, const TensorMap* map, const BlockRows& rows, int n) {
  if (n >= rows.tiles) return;
  MBarrier& barrier = s.x_is_there[n % Layout::kStages];
  barrier.arrive_expect_tx(sizeof s.x[0]);
  tma_load(s.x[n % Layout::kStages], map, &barrier, 0, rows.first + n * kRows);
}

// The number of the running thread's warpgroup. By way of a shuffle, so that the compiler sees all lanes of a warp
// agree: else it takes a branch on it for one that splits a warp, and lets the products behind it wait for each other.
inline __device__ int warpgroup() { return __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x) / 128, 0); }

// Which of the warps that make dz; by way of a shuffle as well: the copy engine takes addresses from registers that a
// warp shares, and the compiler must see that they agree.
inline __device__ int maker_warp() {
  return __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x) / 32, 0) - kMultiplierWarps;
}

// dx^T of a tile that begins at row `first`, from one warpgroup's sums. Lanes that are neighbours along `in` exchange,
// so that each has two neighbours of a row.
template <class T>
__device__ void store_dx(const float (&dx)[kRows / 2], T* grad_x, int first, int last, int in) {
  const bool odd = threadIdx.x % 8 >= 4;
#pragma unroll
  for (int i = 0; i < kRows / 2; i += 2) {
    const float other = __shfl_xor_sync(0xffffffffu, odd ? dx[i] : dx[i + 1], 4);
    const int row = first + wgmma_column(i) + odd, k = wgmma_row(i) - odd;
    if (row < last && k < in)  // in is a multiple of 8
      *reinterpret_cast<uint32_t*>(grad_x + static_cast<int64_t>(row) * in + k) =
          odd ? rounded_pair<T>(other, dx[i + 1]) : rounded_pair<T>(dx[i], other);
  }
}

// Columns of dW^T from number `first` on, to mine: [out, in]
template <int kSums>
__device__ void store_dw(const float (&dw)[kSums], float* mine, int first, int in, int out) {
#pragma unroll
  for (int i = 0; i < kSums; ++i) {
    const int j = first + wgmma_column(i), k = wgmma_row(i);
    if (j < out && k < in) mine[j * in + k] = dw[i];
  }
}

// Warpgroup kGroup of the two that multiply. grad_x: [rows, in]; mine: float [out * in], dW of this block
template <int kGroup, class T, class Layout>
__device__ void multiply(GradientTiles<T, Layout>& s, T* grad_x, float* mine, const BlockRows& rows, int in, int out) {
  constexpr int kFirst = kGroup * 320, kMany = 192, kFew = kGroup == 0 ? 128 : 88;
  float many[kMany / 2] = {}, few[kFew / 2] = {};
  s.w_is_there.wait(0);
  for (int n = 0; n < rows.tiles; ++n) {
    const int b = n % 2, stage = n % Layout::kStages;
    s.x_is_there[stage].wait(n / Layout::kStages % 2);
    s.dz_is_there[b].wait(n / 2 % 2);
    const uint64_t of_x = wgmma_descriptor(s.x[stage], Swizzle::Bytes128, 0, kEightRows);
    const uint64_t of_dz = wgmma_descriptor(s.dz[b], Layout::kSwizzle, Layout::kNextColumns, Layout::kEight);
    float dx[kRows / 2];
    wgmma_fence();
#pragma unroll
    for (int k = 0; k < kRows / 16; ++k) {
      const uint64_t x = advance(of_x, k * 2 * kEightRows), dz = advance(of_dz, k * Layout::kStepInDw);
      wgmma<kMany, T, Major::MN, Layout::kInDw>(many, x, advance(dz, Layout::column(kFirst)), true);
      wgmma<kFew, T, Major::MN, Layout::kInDw>(few, x, advance(dz, Layout::column(kFirst + kMany)), true);
    }
    if constexpr (kGroup == 1) {
      uint64_t of_w = wgmma_descriptor(s.w, Swizzle::Bytes128, 0, kEightRows);
#ifdef __CUDA_ARCH__
      asm volatile("" : "+l"(of_w));  // else 38 descriptors that every tile needs would be kept in registers
#endif
#pragma unroll
      for (int k = 0; k < kAlongColumns; ++k)
        wgmma<kRows, T, Major::MN, Layout::kInDx>(dx, advance(of_w, k * 2 * kEightRows),
                                                  advance(of_dz, Layout::step_in_dx(k)), k > 0);
    }
    wgmma_commit();
    wgmma_wait<0>();
    if (threadIdx.x % 32 == 0) s.dz_is_free[b].arrive();
    if constexpr (kGroup == 1) store_dx(dx, grad_x, rows.first + n * kRows, rows.last, in);
  }
  store_dw(many, mine, kFirst, in, out);
  store_dw(few, mine, kFirst + kMany, in, out);
}

}  // namespace gb::cuda
