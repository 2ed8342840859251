// From dz of a tile of 64 rows, in shared memory, to dx, dW and db: what the backwards of rung 3 share.
//
//   dx [64, in] = dz [64, out] W [out, in]      dW [out, in] += dz^T x      db [out] += the column sums of dz
//
// dz lies as ten blocks of 64 rows by 64 columns, 128 bytes a row and swizzled. wgmma reads such a block either way:
// along k for dx (Major::K), and as the transposed matrix for dW (Major::MN), whose sum dW keeps in registers for all
// tiles of a block. Four warpgroups: the first three have three of the ten blocks of dW each, 96 registers in every
// thread; the fourth has the last block, and dx. While the tensor cores work, ten warps sum columns.
#pragma once

#include "kernels/cuda/element.h"
#include "kernels/cuda/instructions/mbarrier.h"
#include "kernels/cuda/instructions/wgmma.h"
#include "kernels/cuda/lm_head/hopper_head.h"

namespace gb::cuda {

inline constexpr int kBlocks = 10, kBlockColumns = 64;  // of dz: 640 columns, zeros past out
inline constexpr int kWeightRows = kBlocks * kBlockColumns, kWeightBox = kWeightRows / 4;  // of W; of a box
inline constexpr int kGradientThreads = 512;

// At a multiple of 1024 of shared memory.
template <class T>
struct GradientTiles {
  T w[kWeightRows][kIn];                   // swizzled, as x
  T dz[kBlocks][kTile][kBlockColumns];     // swizzled
  T x[2][kTile][kIn];                      // this tile's, and the next one's
  float db[kBlocks * kBlockColumns];       // of all tiles so far; the kernel begins with zeros
  MBarrier w_is_there, x_is_there[2];
};

// Where columns 8 v ... 8 v + 7 of row r of dz lie: 16 bytes.
template <class T>
__device__ char* vector_of_dz(GradientTiles<T>& s, int r, int v) {
  return reinterpret_cast<char*>(s.dz[v / 8][r]) + ((v % 8) ^ (r % 8)) * 16;
}

// One thread's part of dW: of the blocks of its warpgroup. The fourth makes dx in dw[1]: every register counts.
struct GradientSums {
  float dw[3][kIn / 2];
};

// The number of the running thread's warpgroup. By way of a shuffle, so that the compiler sees all lanes of a warp
// agree: else it takes a branch on it for one that splits a warp, and lets the products behind it wait for each other.
inline __device__ int warpgroup() { return __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x) / 128, 0); }

// All threads, after a barrier: dz and x[stage] are there. Afterwards, too, a barrier: then they may be written again.
// grad_x: [rows, in]; the tile begins at row `first`.
template <class T>
__device__ void add_gradients(GradientSums& sums, GradientTiles<T>& s, int stage, T* grad_x, int first, int rows,
                              int in) {
  constexpr uint32_t kStepAlongRows = 16 * 128;  // bytes of 16 rows of k
  const int group = warpgroup();
  const uint64_t of_x = wgmma_descriptor(s.x[stage], Swizzle::Bytes128, 0, kEightRows);
  const uint64_t of_dz = wgmma_descriptor(s.dz[3 * group], Swizzle::Bytes128, 0, kEightRows);
  float(&dx)[kIn / 2] = sums.dw[1];
  wgmma_fence();
#pragma unroll
  for (int b = 0; b < 3; ++b) {
    if (b > 0 && group == 3) break;
#pragma unroll
    for (int k = 0; k < 4; ++k)
      wgmma<kIn, T, Major::MN, Major::MN>(sums.dw[b], advance(of_dz, b * sizeof s.dz[0] + k * kStepAlongRows),
                                          advance(of_x, k * kStepAlongRows), true);
  }
  if (group == 3) {
    const uint64_t a = wgmma_descriptor(s.dz, Swizzle::Bytes128, 0, kEightRows);
    const uint64_t b = wgmma_descriptor(s.w, Swizzle::Bytes128, 0, kEightRows);
#pragma unroll
    for (int k = 0; k < kWeightRows / 16; ++k)
      wgmma<kIn, T, Major::K, Major::MN>(dx, advance(a, k / 4 * sizeof s.dz[0] + k % 4 * 32),
                                         advance(b, k * kStepAlongRows), k > 0);
  }
  wgmma_commit();

  const int thread = static_cast<int>(threadIdx.x);
  if (thread < kBlocks * 32) {  // columns 2 thread and 2 thread + 1
    float db[2] = {};
    const char* const block = reinterpret_cast<const char*>(s.dz[thread / 32]);
    const int piece = thread % 32 / 4, within = thread % 4 * 4;
#pragma unroll 4  // loads side by side; eight would need more registers than dW leaves
    for (int r = 0; r < kTile; ++r) {
      const uint32_t word = *reinterpret_cast<const uint32_t*>(block + r * 128 + (piece ^ (r % 8)) * 16 + within);
      const float2 dz = pair_of<T>(word);
      db[0] += dz.x;
      db[1] += dz.y;
    }
    s.db[2 * thread] += db[0];
    s.db[2 * thread + 1] += db[1];
  }
  wgmma_wait<0>();
  if (group != 3) return;
#pragma unroll
  for (int i = 0; i < kIn / 2; i += 2) {
    const int row = first + wgmma_row(i), k = wgmma_column(i);
    if (row < rows && k < in)  // in is a multiple of 8
      *reinterpret_cast<uint32_t*>(grad_x + static_cast<int64_t>(row) * in + k) = rounded_pair<T>(dx[i], dx[i + 1]);
  }
}

// mine: float [out * in + out] of this block. After a barrier.
template <class T>
__device__ void store_sums(const GradientSums& sums, const GradientTiles<T>& s, float* mine, int in, int out) {
  const int group = warpgroup();
#pragma unroll
  for (int b = 0; b < 3; ++b) {
    if (b > 0 && group == 3) break;
#pragma unroll
    for (int i = 0; i < kIn / 2; ++i) {
      const int j = (3 * group + b) * kBlockColumns + wgmma_row(i), k = wgmma_column(i);
      if (j < out && k < in) mine[j * in + k] = sums.dw[b][i];
    }
  }
  for (int j = static_cast<int>(threadIdx.x); j < out; j += kGradientThreads) mine[out * in + j] = s.db[j];
}

}  // namespace gb::cuda
