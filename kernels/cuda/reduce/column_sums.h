// Sums down the columns of a matrix, [rows, cols] -> [cols]: the gradient of a bias, which every row of the result had
// added to it.
//
// The matrix is tall, and its few columns would keep few blocks busy. So the rows are cut into parts, as many as blocks
// run at once: a block sums its part of up to 2 KB of columns into scratch memory, and a second, small launch of the
// same kernel sums the parts. How many there are depends on the sizes alone, and each sum is added up in a fixed order:
// two runs agree bit for bit.
// Chapter: docs/en/theory/04-kernels.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernels/cpu/reduce.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

struct ColumnSumsArgs {
  ScalarType dtype;       // Float, Double, Half, BFloat16; the last two are summed in float and rounded once
  void* out;              // [cols]
  const void* in;         // [rows, cols], a row's elements side by side
  int64_t rows, cols;
  int64_t in_stride;      // from one row to the next, in elements
  double divisor = 1;     // the sums are divided by it: rows, for a mean
  void* scratch = nullptr;  // column_sums_scratch(args) bytes of device memory, at a multiple of 16; none needed: null
  StreamHandle stream;
};

size_t column_sums_scratch(const ColumnSumsArgs& args);  // bytes; reads dtype, rows and cols
void column_sums(const ColumnSumsArgs& args);

// The sum or mean that `reduce` (reduce.h) would make, where it is one of columns; out, in, scratch and stream are left
// to the caller.
std::optional<ColumnSumsArgs> as_column_sums(cpu::ReduceOp op, ScalarType dtype, const cpu::Strided<2>& kept,
                                             const cpu::Strided<1>& reduced);

}  // namespace gb::cuda
