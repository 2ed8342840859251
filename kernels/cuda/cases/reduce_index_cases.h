// What the reductions and the index kernels must do.
#pragma once

#include <limits>

#include "core/error.h"
#include "kernels/cuda/cases/machine.h"
#include "kernels/cuda/index/index.h"
#include "kernels/cuda/index/triangle.h"
#include "kernels/cuda/reduce/column_sums.h"
#include "kernels/cuda/reduce/reduce.h"

namespace gb::cuda::cases {

// in [rows, cols] contiguous, reduced over dim 0 or dim 1
inline void reduce_matches(Machine& machine, ReduceOp op, ScalarType dtype, int64_t rows, int64_t cols,
                           int dim) {
  INFO("reduce " << static_cast<int>(op) << " on " << std::string(toString(dtype)) << " [" << rows << ", "
                 << cols << "] over " << dim);
  const Values in_values = rounded(dtype, random_values(static_cast<size_t>(rows * cols), 1, -4, 4));
  const int64_t kept_size = dim == 0 ? cols : rows, count = dim == 0 ? rows : cols;
  const bool truth = op == ReduceOp::Any || op == ReduceOp::All;
  const ScalarType out_dtype = truth ? kBool : (op == ReduceOp::Sum || op == ReduceOp::Prod) && !isFloatingType(dtype) ? kLong : dtype;
  Array in(machine, dtype, in_values), out(machine, out_dtype, Values(static_cast<size_t>(kept_size), 1));
  cpu::Dims<2> kept;
  kept.push(kept_size, {1, dim == 0 ? 1 : cols});
  cpu::Dims<1> reduced;
  reduced.push(count, {dim == 0 ? cols : 1});
  reduce(op, out_dtype, out.data(), dtype, in.data(), kept, reduced, nullptr);
  Values want;
  for (int64_t i = 0; i < kept_size; ++i) {
    double sum = 0, product = 1, max = -std::numeric_limits<double>::infinity(), min = -max, zeros = 0;
    for (int64_t j = 0; j < count; ++j) {
      const double v = in_values[static_cast<size_t>(dim == 0 ? j * cols + i : i * cols + j)];
      sum += v;
      product *= v;
      max = std::max(max, v);
      min = std::min(min, v);
      zeros += v == 0;
    }
    switch (op) {
      case ReduceOp::Sum: want.push_back(sum); break;
      case ReduceOp::Prod: want.push_back(product); break;
      case ReduceOp::Mean: want.push_back(sum / static_cast<double>(count)); break;
      case ReduceOp::AMax: want.push_back(max); break;
      case ReduceOp::AMin: want.push_back(min); break;
      case ReduceOp::Any: want.push_back(zeros < static_cast<double>(count)); break;
      case ReduceOp::All: want.push_back(zeros == 0); break;
    }
  }
  if (op == ReduceOp::Prod && isFloatingType(dtype)) want = rounded(dtype, want);  // what overflows Half is infinite
  check_close(out.values(), want, (op == ReduceOp::Prod ? static_cast<double>(count) / 8 + 1 : 1) * tolerance(dtype), 4);
}

inline void reduce_cases(Machine& machine) {
  for (ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16, kLong, kInt, kBool})
    for (ReduceOp op :
         {ReduceOp::Sum, ReduceOp::Mean, ReduceOp::AMax, ReduceOp::AMin, ReduceOp::Any, ReduceOp::All, ReduceOp::Prod}) {
      if (op == ReduceOp::Mean && !isFloatingType(dtype)) {
        CHECK_THROWS_AS(reduce_matches(machine, op, dtype, 2, 2, 0), NotImplementedError);
        continue;
      }
      for (auto [rows, cols] : {std::pair<int64_t, int64_t>{1, 1}, {2, 37}, {37, 3}, {3, 300}, {40, 40}, {600, 2}})
        for (int dim : {0, 1})
          if (op != ReduceOp::Prod || (dim == 0 ? rows : cols) <= 40)  // more factors leave every dtype's range
            reduce_matches(machine, op, dtype, rows, cols, dim);
      reduce_matches(machine, op, dtype, 5, 0, 0);  // nothing kept
      if (op == ReduceOp::AMax || op == ReduceOp::AMin)
        CHECK_THROWS_AS(reduce_matches(machine, op, dtype, 0, 3, 0), ValueError);
      else
        reduce_matches(machine, op, dtype, 0, 3, 0);  // sums 0, means NaN
    }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Array in(machine, kFloat, {1, nan, 2}), out(machine, kFloat, {0});
  cpu::Dims<1> three;
  three.push(3, {1});
  for (ReduceOp op : {ReduceOp::AMax, ReduceOp::AMin}) {
    reduce(op, kFloat, out.data(), kFloat, in.data(), cpu::Dims<2>(), three, nullptr);
    CHECK(std::isnan(out.values()[0]));
  }
}

// in: [rows, cols] of a matrix of cols + gap columns, `offset` elements into its memory.
inline void column_sums_match(Machine& machine, ReduceOp op, ScalarType dtype, int64_t rows, int64_t cols, int64_t gap,
                              int64_t offset) {
  INFO("column " << cpu::toString(op) << " on " << std::string(toString(dtype)) << " [" << rows << ", " << cols
                 << "] with a gap of " << gap << " at " << offset);
  const int64_t stride = cols + gap;
  const auto size = [](int64_t n) { return static_cast<size_t>(n); };
  const Values in_values = rounded(dtype, random_values(size(offset + rows * stride), 1, -4, 4));
  Array in(machine, dtype, in_values), out(machine, dtype, Values(size(cols), 7));
  cpu::Dims<2> kept;
  kept.push(cols, {1, 1});
  cpu::Dims<1> reduced;
  reduced.push(rows, {stride});
  std::optional<ColumnSumsArgs> args = as_column_sums(op, dtype, kept, reduced);
  REQUIRE(args);
  args->out = out.data();
  args->in = static_cast<char*>(in.data()) + size(offset) * elementSize(dtype);
  Array scratch(machine, kBool, Values(column_sums_scratch(*args)));
  args->scratch = scratch.data();
  column_sums(*args);
  Values want(size(cols), 0);
  for (int64_t j = 0; j < cols; ++j) {
    for (int64_t i = 0; i < rows; ++i) want[size(j)] += in_values[size(offset + i * stride + j)];
    if (op == ReduceOp::Mean) want[size(j)] /= static_cast<double>(rows);
  }
  // The error of a sum of n terms of size 4, added up in chains of n / 8 at most: it grows with the terms, not the sum.
  check_close(out.values(), want, tolerance(dtype), std::sqrt(static_cast<double>(rows)) + 4);
}

inline void column_sums_cases(Machine& machine) {
  for (ScalarType dtype : kFloating) {
    for (auto [rows, cols] : {std::pair<int64_t, int64_t>{2, 600}, {0, 8}, {33, 3}, {257, 600}, {700, 40}, {1300, 7}})
      for (ReduceOp op : {ReduceOp::Sum, ReduceOp::Mean})
        column_sums_match(machine, op, dtype, rows, cols, 0, 0);
    column_sums_match(machine, ReduceOp::Sum, dtype, 300, 16, 16, 0);  // columns of a wider matrix
    column_sums_match(machine, ReduceOp::Sum, dtype, 300, 16, 16, 1);  // not at a multiple of 16 bytes
    column_sums_match(machine, ReduceOp::Sum, dtype, 300, 16, 3, 0);   // nor from row to row
  }
  // What is no sum of columns is left to reduce().
  cpu::Dims<2> rows_kept;
  rows_kept.push(3, {1, 5});
  cpu::Dims<1> along_row;
  along_row.push(5, {1});
  CHECK_FALSE(as_column_sums(ReduceOp::Sum, kFloat, rows_kept, along_row));
  cpu::Dims<2> kept;
  kept.push(5, {1, 1});
  cpu::Dims<1> reduced;
  reduced.push(3, {5});
  CHECK(as_column_sums(ReduceOp::Sum, kFloat, kept, reduced));
  CHECK_FALSE(as_column_sums(ReduceOp::AMax, kFloat, kept, reduced));
  CHECK_FALSE(as_column_sums(ReduceOp::Sum, kLong, kept, reduced));
}

inline BadIndex bad_index(Machine& machine, const Values& index, int64_t dim_size) {
  Array indices(machine, kLong, index), answer(machine, kLong, {7, 7});  // a BadIndex is two int64
  static_assert(sizeof(BadIndex) == 16);
  cpu::Dims<1> it;
  it.push(static_cast<int64_t>(index.size()), {1});
  find_bad_index(static_cast<BadIndex*>(answer.data()), indices.as_index(), it, dim_size, nullptr);
  BadIndex bad;
  machine.copy_out(&bad, answer.data(), sizeof bad);
  machine.note_result(kLong, &bad, 2);
  return bad;
}

inline BadIndex bad_target(Machine& machine, const Values& target, int64_t classes, int64_t ignore_index) {
  Array targets(machine, kLong, target), answer(machine, kLong, {7, 7});
  find_bad_target(static_cast<BadIndex*>(answer.data()), targets.as_index(), static_cast<int64_t>(target.size()),
                  classes, ignore_index, nullptr);
  BadIndex bad;
  machine.copy_out(&bad, answer.data(), sizeof bad);
  return bad;
}

// A table of 4 rows of 300 columns, row 2 for padding. Rows 1, 0, 1 and 3 are asked for among 600 indices.
inline void embedding_backward_cases(Machine& machine) {
  for (ScalarType dtype : kFloating) {
    const Values grads = rounded(dtype, random_values(600 * 300, 1));
    Values index(600, 2);
    index[0] = 1, index[1] = 0, index[2] = 1, index[599] = 3;
    for (bool by_frequency : {false, true}) {
      Array grad(machine, dtype, grads), at(machine, kLong, index), table(machine, dtype, Values(1200, 9));
      embedding_dense_backward(dtype, table.data(), grad.data(), at.as_index(), 600, 4, 300, 2, by_frequency, nullptr);
      Values want(1200, 0);
      for (size_t j = 0; j < 300; ++j) {
        want[300 + j] = (grads[j] + grads[600 + j]) / (by_frequency ? 2 : 1);
        want[j] = grads[300 + j];
        want[900 + j] = grads[599 * 300 + j];
      }
      check_close(table.values(), want, tolerance(dtype));
    }
  }
}

// Two matrices of [3, 4] that lie transposed.
inline void triangle_cases(Machine& machine) {
  for (ScalarType dtype : {kFloat, kHalf, kLong, kBool})
    for (bool lower : {true, false})
      for (int64_t diagonal : {-3, -1, 0, 2, 4}) {
        Array data(machine, dtype, Values(24, 1));
        cpu::Dims<1> it;
        it.push(2, {12});
        it.push(3, {1});
        it.push(4, {3});
        zero_outside_triangle(dtype, data.data(), it, 3, 4, diagonal, lower, nullptr);
        Values want(24);
        for (int64_t i = 0; i < 24; ++i) {
          const int64_t above = i / 3 % 4 - i % 3;
          want[static_cast<size_t>(i)] = lower ? above <= diagonal : above >= diagonal;
        }
        CHECK(data.values() == want);
      }
}

inline void index_cases(Machine& machine) {
  Values many(1000, 2);
  CHECK_FALSE(bad_index(machine, many, 3));
  many[700] = -1, many[999] = 3;
  CHECK(bad_index(machine, many, 3).position == 700);
  CHECK(bad_index(machine, many, 3).value == -1);
  CHECK_FALSE(bad_index(machine, {}, 3));
  CHECK(bad_index(machine, {0}, 0).position == 0);
  CHECK_FALSE(bad_target(machine, {2, -100, 0, -100}, 3, -100));
  CHECK(bad_target(machine, {2, -100, 0, -1}, 3, -100).position == 3);
  CHECK(bad_target(machine, {2, 3, 0}, 3, -100).value == 3);
  embedding_backward_cases(machine);
  triangle_cases(machine);

  // gather along dim 1 of in [2, 4]: index [2, 3]; and its gradient, scatter_add
  for (ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16, kInt, kLong}) {
    Array in(machine, dtype, {1, 2, 3, 4, 5, 6, 7, 8}), index(machine, kLong, {3, 0, 0, 1, 1, 2}),
        out(machine, dtype, Values(6));
    cpu::Dims<3> it;
    it.push(2, {3, 4, 3});
    it.push(3, {1, 0, 1});
    gather(dtype, out.data(), in.data(), index.as_index(), it, 1, nullptr);
    CHECK(out.values() == Values{4, 1, 1, 6, 6, 7});

    Array self(machine, dtype, Values(8, 0));
    cpu::Dims<3> back;
    back.push(2, {4, 3, 3});
    back.push(3, {0, 1, 1});
    scatter_add(dtype, self.data(), out.data(), index.as_index(), back, 1, nullptr);
    CHECK(self.values() == Values{2, 0, 0, 4, 0, 12, 7, 0});
  }
  Array half(machine, kHalf, {1, 2}), where(machine, kLong, {1, 0}), moved(machine, kHalf, {0, 0});
  cpu::Dims<3> two;
  two.push(2, {1, 0, 1});
  gather(kHalf, moved.data(), half.data(), where.as_index(), two, 1, nullptr);
  CHECK(moved.values() == Values{2, 1});
  Array truth(machine, kBool, {1, 0}), into(machine, kBool, {0, 0});  // a sum of truths is their or
  cpu::Dims<3> two_back;
  two_back.push(2, {0, 1, 1});
  scatter_add(kBool, into.data(), truth.data(), where.as_index(), two_back, 1, nullptr);
  CHECK(into.values() == Values{0, 1});
  Array more(machine, kBool, {0, 1});
  scatter_add(kBool, into.data(), more.data(), where.as_index(), two_back, 1, nullptr);
  CHECK(into.values() == Values{1, 1});

  Array weight(machine, kFloat, {1, 2, 3, 4, 5, 6}), rows(machine, kLong, {2, 0, 2}),
      looked_up(machine, kFloat, Values(6));
  embedding(kFloat, looked_up.data(), weight.data(), 2, 2, rows.as_index(), 3, nullptr);
  CHECK(looked_up.values() == Values{5, 6, 1, 2, 5, 6});
  embedding(kFloat, looked_up.data(), weight.data(), 2, 2, rows.as_index(), 0, nullptr);
  CHECK(looked_up.values() == Values{5, 6, 1, 2, 5, 6});
}

}  // namespace gb::cuda::cases
