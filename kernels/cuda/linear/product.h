// A product as the rungs from 2 on see it: d[i][j] = the dot product of line i of a and line j of b.
//
// A *line* is what is summed along: a row of a, a column of b. It has k elements, `step` apart. So both operands look
// alike and one piece of code loads either. Of a Linear's three products
//   y  = x W^T    both operands have step 1: a line lies in one piece ("along k")
//   dX = dY W     a has step 1; neighbouring lines of b are neighbours in memory ("along lines"), its step is a row
//   dW = dY^T X   both lie along lines
// Invariant: what is read beyond the last line or the last element of a line counts as 0, or is never stored.
#pragma once

#include "kernels/cuda/linear/epilogue.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {

template <class T>
struct Lines {
  const T* data;  // of matrix 0 of the batch
  int64_t count, line_stride, step, batch_stride;

  __device__ const T* line(int64_t l, int64_t i) const { return data + l * batch_stride + i * line_stride; }
};

__host__ __device__ constexpr int64_t tiles_over(int64_t size, int64_t tile) { return (size + tile - 1) / tile; }

// The place of a block: matrix l, and its tile of d.
struct Place {
  int64_t l, tile_i, tile_j;
};

template <class T>
struct Product {
  using C = compute_t<T>;
  Lines<T> a, b;  // m lines, n lines
  int64_t m, n, k;
  T* d;
  int64_t row_stride, col_stride, batch_stride;  // of d
  Epilogue<T> epilogue;

  explicit Product(const GemmArgs& g)
      : a{static_cast<const T*>(g.a.data), g.m, g.a.row_stride, g.a.col_stride, g.a.batch_stride},
        b{static_cast<const T*>(g.b.data), g.n, g.b.col_stride, g.b.row_stride, g.b.batch_stride},
        m(g.m), n(g.n), k(g.k), d(static_cast<T*>(g.d.data)), row_stride(g.d.row_stride), col_stride(g.d.col_stride),
        batch_stride(g.d.batch_stride), epilogue(g) {}

  __device__ void store(C sum, int64_t l, int64_t i, int64_t j) const {
    if (i < m && j < n)
      d[l * batch_stride + i * row_stride + j * col_stride] = static_cast<T>(epilogue(sum, l, i, j));
  }

  // kCount neighbours of a row of d: as one vector where they lie in one piece at a multiple of its size.
  template <int kCount>
  __device__ void store_neighbours(const C* sum, int64_t l, int64_t i, int64_t j) const {
    struct alignas(kCount * sizeof(T)) Vector {
      T element[kCount];
    };
    T* const to = d + l * batch_stride + i * row_stride + j * col_stride;
    if (i < m && j + kCount <= n && col_stride == 1 && reinterpret_cast<uintptr_t>(to) % sizeof(Vector) == 0) {
      Vector vector;
#pragma unroll
      for (int e = 0; e < kCount; ++e) vector.element[e] = static_cast<T>(epilogue(sum[e], l, i, j + e));
      *reinterpret_cast<Vector*>(to) = vector;
    } else {
#pragma unroll
      for (int e = 0; e < kCount; ++e) store(sum[e], l, i, j + e);
    }
  }

  // One block per tile of `rows` x `cols` elements of d; neighbouring blocks: neighbouring columns.
  int64_t tiles(int64_t rows, int64_t cols) const { return tiles_over(m, rows) * tiles_over(n, cols); }
  __device__ Place place(int64_t rows, int64_t cols) const {
    const int64_t per_matrix = tiles_over(m, rows) * tiles_over(n, cols), block = blockIdx.x;
    const int64_t l = block / per_matrix, tile = block - l * per_matrix, wide = tiles_over(n, cols);
    return {l, tile / wide, tile % wide};
  }
};

}  // namespace gb::cuda
