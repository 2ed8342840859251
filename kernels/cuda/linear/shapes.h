// Which calls a rung with vector loads takes, and how its operands lie.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "kernels/cuda/linear/gemm.h"

namespace gb::cuda {

// Does the operand lie along k or along lines, all its lines (or steps) at multiples of 16 bytes? `line` and `step` are
// its strides from line to line and along a line.
inline bool moves_vectors(const ConstMatrix& x, int64_t line, int64_t step, ScalarType dtype) {
  const int64_t per_vector = 16 / static_cast<int64_t>(elementSize(dtype));
  return (step == 1 || line == 1) && reinterpret_cast<uintptr_t>(x.data) % 16 == 0 &&
         (step == 1 ? line : step) % per_vector == 0 && x.batch_stride % per_vector == 0;
}

// Rungs 7 to 9 count rows, columns and elements of a line in int.
inline bool counts_in_int(const GemmArgs& args) {
  return args.m <= 0x7fffff00 && args.n <= 0x7fffff00 && args.k <= 0x7fffff00;  // and the last tile may go beyond
}

// The same for async_tile.h, which turns floats that lie along k one by one, from any address.
inline bool moves_async(const ConstMatrix& x, int64_t line, int64_t step) {
  return step == 1 || moves_vectors(x, line, step, kFloat);
}

// Calls f(std::integral_constant<int, i>): a row of a table becomes a template argument.
template <int kCount, int kFirst = 0, class F>
void visit_row(int i, F f) {
  if constexpr (kFirst + 1 < kCount)
    if (i != kFirst) return visit_row<kCount, kFirst + 1>(i, f);
  f(std::integral_constant<int, kFirst>());
}

// Calls f(a lies along k, b lies along k), both as std::bool_constant.
template <class F>
void visit_directions(const GemmArgs& args, F f) {
  const bool a = args.a.col_stride == 1, b = args.b.row_stride == 1;
  if (a && b)
    f(std::true_type(), std::true_type());
  else if (a)
    f(std::true_type(), std::false_type());
  else if (b)
    f(std::false_type(), std::true_type());
  else
    f(std::false_type(), std::false_type());
}

// d^T = b^T a^T: the same product with exchanged operands.
inline GemmArgs transposed(GemmArgs args) {
  std::swap(args.m, args.n);
  std::swap(args.a, args.b);
  std::swap(args.a.row_stride, args.a.col_stride);
  std::swap(args.b.row_stride, args.b.col_stride);
  std::swap(args.c.row_stride, args.c.col_stride);
  std::swap(args.d.row_stride, args.d.col_stride);
  return args;
}

}  // namespace gb::cuda
