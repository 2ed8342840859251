// The calls of matmul, mv and dot that the generic tests make.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> matmul_cases() {
  return {
      op("aten::matmul", "vectors").on(input({4}), input({4})),
      op("aten::matmul", "matrix and vector").on(input({3, 4}), input({4})),
      // There the row is squeezed in place: SqueezeBackward4 instead of SqueezeBackward1, the only difference.
      op("aten::matmul", "vector and matrix").on(input({4}), input({4, 5})),
      op("aten::matmul", "matrices").on(input({3, 4}), input({4, 5})).also_half(),
      op("aten::matmul", "batch and matrix, folded").on(input({2, 3, 4}), input({4, 5})),
      op("aten::matmul", "batch and constant matrix").on(input({2, 3, 4}), input({4, 5}).constant()),
      op("aten::matmul", "strided batch and constant matrix")
          .on(input({2, 3, 4}).transposed(), input({4, 5}).constant()),
      op("aten::matmul", "batch and vector").on(input({2, 2, 3, 4}), input({4})),
      op("aten::matmul", "strided batch and constant vector")
          .on(input({2, 3, 4}).transposed(), input({4}).constant()),
      op("aten::matmul", "matrix and batch").on(input({3, 4}), input({2, 4, 5})),
      op("aten::matmul", "constant matrix and batch").on(input({3, 4}).constant(), input({2, 4, 5})),
      op("aten::matmul", "vector and batch").on(input({4}), input({2, 4, 5})),
      op("aten::matmul", "constant vector and batch").on(input({4}).constant(), input({2, 4, 5})),
      op("aten::matmul", "batches").on(input({2, 3, 4}), input({2, 4, 5})),
      op("aten::matmul", "a batch of one").on(input({1, 3, 4}), input({2, 4, 5})),
      op("aten::matmul", "a second batch of one").on(input({2, 3, 4}), input({1, 4, 5})),
      op("aten::matmul", "batches broadcast").on(input({2, 1, 3, 4}), input({3, 4, 2})),
      op("aten::matmul", "heads").on(input({2, 2, 3, 4}), input({2, 2, 4, 3}).transposed()),
      op("aten::matmul", "empty batch").on(input({0, 3, 4}), input({4, 5})),
      op("aten::matmul", "no inner dimension").on(input({2, 3, 0}), input({0, 5})),
      op("aten::matmul", "integer").on(integers({2, 2, 3}, -9, 9), integers({3, 2}, -9, 9)),
      op("aten::matmul", "a number").on(input({}), input({3, 4})).throws(),
      op("aten::matmul", "batches do not broadcast").on(input({2, 3, 4}), input({3, 4, 5})).throws(),
      op("aten::matmul", "inner sizes differ").on(input({2, 3, 4}), input({3, 4})).throws(),
      op("aten::mv").on(input({3, 4}), input({4})).also_half(),
      op("aten::mv", "strided").on(input({3, 4}).transposed(), input({4}).stepped()),
      op("aten::mv", "expanded").on(input({3, 4}), input({4}).expanded()),
      op("aten::mv", "no columns").on(input({3, 0}), input({0})),
      op("aten::mv", "sizes differ").on(input({3, 4}), input({3})).throws(),
      op("aten::mv", "two matrices").on(input({3, 4}), input({4, 2})).throws(),
      op("aten::dot").on(input({5}), input({5})).also_half(),
      op("aten::dot", "strided").on(input({5}).stepped(), input({5}).expanded()),
      op("aten::dot", "no elements").on(input({0}), input({0})),
      op("aten::dot", "integer").on(integers({5}, -9, 9), integers({5}, -9, 9)),
      op("aten::dot", "lengths differ").on(input({5}), input({4})).throws(),
      op("aten::dot", "matrix").on(input({5, 1}), input({5})).throws(),
      op("aten::dot", "dtypes differ").on(input({5}).as(kFloat), input({5}).as(kDouble)).throws(),
  };
}

}  // namespace gb::tests
