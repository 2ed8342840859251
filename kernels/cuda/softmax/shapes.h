// How many threads share a row, and how many 16-byte vectors each of them holds: what was fastest on an H200
// (bench/results/cuda.md), where about 32 KB must be on their way to each multiprocessor at any time.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/softmax/rows.h"
#include "kernels/cuda/softmax/softmax.h"

namespace gb::cuda {

inline constexpr int kShortThreads = 128, kMostThreads = 1024;
// The least number of blocks of short rows for which registers must do. 1, the same as no bound, makes the compiler
// give half types more of them, and so more of a row's conversions side by side; float is better off without.
template <class T>
inline constexpr int kShortBlocks = sizeof(T) == 2 ? 1 : 0;
inline constexpr int64_t kMostVectorsOfShortRows = 96;

// Whole vectors in a row of `cols` elements that starts at a multiple of 16 bytes; no row has more.
inline int64_t vectors_in(ScalarType dtype, int64_t cols) {
  return cols * static_cast<int64_t>(elementSize(dtype)) / 16;
}

// Do both matrices' rows start at the same place between two multiples of 16 bytes, every row?
inline bool cut_alike(const void* a, int64_t a_stride, const void* b, int64_t b_stride, ScalarType dtype) {
  const int64_t size = static_cast<int64_t>(elementSize(dtype));
  const int64_t apart = static_cast<int64_t>(reinterpret_cast<uintptr_t>(a) - reinterpret_cast<uintptr_t>(b));
  return apart % 16 == 0 && (a_stride - b_stride) * size % 16 == 0;
}
// Can a kernel that moves vectors do the call? Not in double, and only where all its rows are cut alike.
inline bool moves_vectors(const SoftmaxArgs& a) {
  return a.dtype != kDouble && cut_alike(a.out, a.cols, a.in, a.in_stride, a.dtype);
}
inline bool moves_vectors(const SoftmaxBackwardArgs& a) {
  return a.dtype != kDouble && cut_alike(a.grad_input, a.cols, a.output, a.cols, a.dtype) &&
         cut_alike(a.grad, a.grad_stride, a.output, a.cols, a.dtype);
}
// Has every row whole vectors only?
inline bool whole_rows(const void* data, int64_t stride, int64_t cols, ScalarType dtype) {
  const int64_t size = static_cast<int64_t>(elementSize(dtype));
  return reinterpret_cast<uintptr_t>(data) % 16 == 0 && stride * size % 16 == 0 && cols * size % 16 == 0;
}

// kLanes lanes share a row, each with kVectors vectors of it, and hold kRows rows at once.
template <int kLanes, int kVectors, int kRows>
struct ShortShape {
  static constexpr int lanes = kLanes, vectors = kVectors, rows = kRows;
};

template <class Shape>
dim3 short_grid(int64_t rows, Shape) {
  constexpr int64_t kRowsPerBlock = kShortThreads / Shape::lanes * Shape::rows;
  return grid_of_rows((rows + kRowsPerBlock - 1) / kRowsPerBlock);
}

// As many warps as it takes to hold the row.
inline unsigned long_threads(int64_t vectors_in_row, int vectors_per_thread) {
  const int64_t per_warp = 32 * vectors_per_thread;
  return static_cast<unsigned>((vectors_in_row + per_warp - 1) / per_warp * 32);
}

template <int n>
using Int = std::integral_constant<int, n>;

// Call short_rows(ShortShape) for rows of up to kMostVectorsOfShortRows vectors.
template <class Run>
void with_short_forward_shape(int64_t vectors, Run short_rows) {
  if (vectors <= 8)
    short_rows(ShortShape<4, 2, 1>());
  else if (vectors <= 16)
    short_rows(ShortShape<8, 2, 2>());
  else if (vectors <= 32)
    short_rows(ShortShape<8, 4, 1>());
  else if (vectors <= 64)
    short_rows(ShortShape<32, 2, 1>());
  else if (vectors <= 80)
    short_rows(ShortShape<16, 5, 1>());
  else
    short_rows(ShortShape<32, 3, 1>());
}
template <class Run>
void with_short_backward_shape(int64_t vectors, Run short_rows) {
  if (vectors <= 8)
    short_rows(ShortShape<8, 1, 1>());
  else if (vectors <= 16)
    short_rows(ShortShape<16, 1, 1>());
  else if (vectors <= 32)
    short_rows(ShortShape<32, 1, 1>());
  else if (vectors <= 64)
    short_rows(ShortShape<32, 2, 1>());
  else
    short_rows(ShortShape<32, 3, 1>());
}

// Vectors of a row that one block holds in the registers of 1024 threads: forward 8 per thread, but 4 of half types,
// which take two registers for each of theirs while they are converted; backward 3 each of y and dy.
template <class T>
inline constexpr int64_t kMostForwardVectors = (sizeof(T) == 2 ? 4 : 8) * kMostThreads;
inline constexpr int kBackwardVectors = 3;
inline constexpr int64_t kMostBackwardVectors = kBackwardVectors * kMostThreads;

// Calls long_rows(threads, Int<vectors per thread>).
template <class T, class Run>
void with_long_forward_shape(int64_t vectors, Run long_rows) {
  if (sizeof(T) == 2 || vectors <= 4 * kMostThreads)
    long_rows(long_threads(vectors, 4), Int<4>());
  else if constexpr (sizeof(T) == 4)
    long_rows(long_threads(vectors, 8), Int<8>());
}

}  // namespace gb::cuda
