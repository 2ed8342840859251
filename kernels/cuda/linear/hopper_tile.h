// What Hopper's rungs share on the device: the tiles of a and b in shared memory, one step of the product, the
// store.
//
// A tile is some rows of mn by 128 bytes of k (64 elements of half types, 32 of TF32), 128 bytes per row of mn.
// With Major::K it is one box; with Major::MN it is boxes of 128 bytes of mn (64 elements) by 64 of k, 8192 bytes
// each. Both ways 64 rows of mn are 8192 bytes, so a warpgroup's part begins at the same place.
#pragma once

#include <type_traits>

#include "kernels/cuda/instructions/tma.h"
#include "kernels/cuda/instructions/wgmma.h"
#include "kernels/cuda/linear/epilogue.h"

namespace gb::cuda {

constexpr int kRowBytes = 128;
constexpr uint32_t kAtom = 8 * kRowBytes;  // a swizzle repeats every eight rows: tiles begin at multiples of it
template <class T>
inline constexpr int kTileK = kRowBytes / static_cast<int>(sizeof(T));
template <class T>
using WgmmaType = std::conditional_t<std::is_same_v<T, float>, Tf32, T>;
__host__ __device__ constexpr uint32_t tile_bytes(int rows) { return static_cast<uint32_t>(rows) * kRowBytes; }

// Sizes as the kernels take them. A tile of d is (l, i0, j0).
struct HopperShape {
  int m, n, k;
  int a_batch, b_batch;  // matrices; 1: the same one for all l
};

// Starts the copy of `rows` (of the map's boxes) of a tile: mn from mn0, k from k0.
template <class T, Major kMajor>
__device__ void load_tile(char* to, const TensorMap* map, MBarrier* barrier, int rows, int mn0, int k0, int l) {
  if constexpr (kMajor == Major::K) {
    tma_load(to, map, barrier, k0, mn0, l);
  } else {
    for (int r = 0; r < rows; r += 64) tma_load(to + tile_bytes(r), map, barrier, mn0 + r, k0, l);
  }
}
// To the same place in the blocks of the cluster that are named.
template <class T, Major kMajor>
__device__ void load_tile_multicast(char* to, const TensorMap* map, MBarrier* barrier, uint16_t blocks, int rows,
                                    int mn0, int k0, int l) {
  if constexpr (kMajor == Major::K) {
    tma_load_multicast(to, map, barrier, blocks, k0, mn0, l);
  } else {
    for (int r = 0; r < rows; r += 64) tma_load_multicast(to + tile_bytes(r), map, barrier, blocks, mn0 + r, k0, l);
  }
}

// sum[64, N] += a b^T for all k of a tile; a: 64 rows, b: N rows. With `first` the sum begins here. Between
// wgmma_fence() and wgmma_commit().
// [anchor: multiply-tile]
template <int N, class T, Major kA, Major kB>
__device__ void multiply_tile(float (&sum)[N / 2], const char* a, const char* b, bool first) {
  const uint64_t at_a = wgmma_descriptor(a, Swizzle::Bytes128, tile_bytes(64), kAtom),
                 at_b = wgmma_descriptor(b, Swizzle::Bytes128, tile_bytes(64), kAtom);
#pragma unroll
  for (int step = 0; step < 4; ++step) {  // 32 bytes of a row, or 16 rows of k
    constexpr uint32_t kAlongA = kA == Major::K ? 32 : 16 * kRowBytes,
                       kAlongB = kB == Major::K ? 32 : 16 * kRowBytes;
    wgmma<N, WgmmaType<T>, kA, kB>(sum, advance(at_a, step * kAlongA), advance(at_b, step * kAlongB),
                                   !first || step > 0);
  }
}

// The result, and how it is stored.
template <class T>
struct HopperOutput {
  Matrix d;
  Epilogue<T> epilogue;
  bool pairs;  // two neighbours of a row, from an even column on, can be stored together

  explicit HopperOutput(const GemmArgs& g)
      : d(g.d),
        epilogue(g),
        pairs(g.d.col_stride == 1 && g.d.row_stride % 2 == 0 && g.d.batch_stride % 2 == 0 &&
              reinterpret_cast<uintptr_t>(g.d.data) % (2 * sizeof(T)) == 0) {}
};

// Is c one row for all of d's, a bias?
template <class T>
__device__ bool is_row(const Epilogue<T>& epilogue) {
  return epilogue.beta != 0 && epilogue.row_stride == 0 && epilogue.col_stride == 1;
}

// sum += beta c, for one row c [N] that is every row's. Each pair of columns is loaded once for the thread's two rows,
// and without branches, so that many loads are on their way together.
template <int N, class T>
__device__ void add_row(float (&sum)[N / 2], const T* c, float beta) {
#pragma unroll
  for (int e = 0; e < N / 2; e += 4) {
    const int j = wgmma_column(e);
    const float x = beta * static_cast<float>(c[j]), y = beta * static_cast<float>(c[j + 1]);
    sum[e] += x, sum[e + 1] += y;
    sum[e + 2] += x, sum[e + 3] += y;
  }
}

// sum += beta c. Other strides than a bias's, and tiles at the right edge, are taken one by one: all their addresses at
// once need more registers than there are.
template <int N, class T>
__device__ void add_c(float (&sum)[N / 2], const Epilogue<T>& epilogue, const HopperShape& g, int l, int i0, int j0) {
  if (is_row(epilogue) && j0 + N <= g.n)
    return add_row<N>(sum, epilogue.c + l * epilogue.batch_stride + j0, epilogue.beta);
#pragma unroll
  for (int e = 0; e < N / 2; ++e) {
    const int i = i0 + wgmma_row(e), j = j0 + wgmma_column(e);
    if (i < g.m && j < g.n) sum[e] += epilogue.beta_c(l, i, j);
  }
}

// The sums that a warpgroup holds, 64 rows from i0 and N columns from j0, become what is to be stored. Part by
// part, in loops that the compiler unrolls whole: a register array must not be indexed at run time. row: the bias of
// these columns, or null: add_c takes it from memory.
template <int N, class T>
__device__ void finish_sums(float (&sum)[N / 2], const Epilogue<T>& epilogue, const HopperShape& g, int l, int i0,
                            int j0, const float* row = nullptr) {
  if (epilogue.alpha != 1) {
#pragma unroll
    for (int e = 0; e < N / 2; ++e) sum[e] *= epilogue.alpha;
  }
  if (row)
    add_row<N>(sum, row, epilogue.beta);
  else if (epilogue.beta != 0)
    add_c<N>(sum, epilogue, g, l, i0, j0);
  if (epilogue.activation != Activation::None) {
#pragma unroll
    for (int e = 0; e < N / 2; ++e) sum[e] = epilogue.activate(sum[e]);
  }
}

template <class T>
struct alignas(2 * sizeof(T)) Pair {
  T x, y;
};

// Finishes them and stores them, as far as they are inside of d.
template <int N, class T>
__device__ void store_sums(float (&sum)[N / 2], const HopperOutput<T>& out, const HopperShape& g, int l, int i0,
                           int j0) {
  finish_sums<N>(sum, out.epilogue, g, l, i0, j0);
  T* const d = static_cast<T*>(out.d.data) + l * out.d.batch_stride;
  if (out.pairs && j0 + N <= g.n) {
#pragma unroll
    for (int e = 0; e < N / 2; e += 2) {
      const int i = i0 + wgmma_row(e), j = j0 + wgmma_column(e);
      if (i < g.m)
        *reinterpret_cast<Pair<T>*>(d + i * out.d.row_stride + j) = {static_cast<T>(sum[e]),
                                                                     static_cast<T>(sum[e + 1])};
    }
  } else {
#pragma unroll
    for (int e = 0; e < N / 2; ++e) {
      const int i = i0 + wgmma_row(e), j = j0 + wgmma_column(e);
      if (i < g.m && j < g.n) d[i * out.d.row_stride + j * out.d.col_stride] = static_cast<T>(sum[e]);
    }
  }
}

// Calls f(zero of T, a's Major, b's Major) with the types of what hopper_takes.
template <class F>
void visit_hopper(ScalarType dtype, Major a, Major b, F f) {
  using OfK = std::integral_constant<Major, Major::K>;
  using OfMN = std::integral_constant<Major, Major::MN>;
  const auto majors = [&](auto zero) {
    if (a == Major::K) return b == Major::K ? f(zero, OfK(), OfK()) : f(zero, OfK(), OfMN());
    return b == Major::K ? f(zero, OfMN(), OfK()) : f(zero, OfMN(), OfMN());
  };
  if (dtype == kHalf) majors(Half{});
  if (dtype == kBFloat16) majors(BFloat16{});
  if (dtype == kFloat) f(0.0f, OfK(), OfK());
}

}  // namespace gb::cuda
