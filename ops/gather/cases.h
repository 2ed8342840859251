// The calls of gather and scatter_add that the generic tests make.
#pragma once

#include "tests/op_case.h"

namespace gb::tests {

inline std::vector<OpCase> gather_cases() {
  return {
      op("aten::gather").on(input({3, 4}), 1, integers({3, 2}, 0, 3)),
      op("aten::gather", "first dimension, strided")
          .on(input({3, 4}).transposed(), 0, integers({5, 2}, 0, 2)),
      op("aten::gather", "0-d").on(input({}), 0, integers({}, 0, 0)),
      op("aten::gather", "no index").on(input({3, 4}), 1, integers({0}, 0, 0)),
      op("aten::gather", "out of bounds")
          .on(input({3, 5}), 1, integers({1, 2}, 7, 7))
          .throws()
          .without_meta(),
      op("aten::gather", "negative").on(input({3, 5}), 1, integers({1, 2}, -1, -1)).throws().without_meta(),
      op("aten::gather", "index of floats").on(input({3, 5}), 1, input({1, 2})).throws(),
      op("aten::gather", "index too large").on(input({3, 5}), 1, integers({4, 1}, 0, 2)).throws(),
      op("aten::scatter_add").on(input({3, 4}), 1, integers({3, 2}, 0, 3), input({3, 2})),
      op("aten::scatter_add", "strided")
          .on(input({3, 4}).transposed(), 0, integers({5, 2}, 0, 2), input({5, 2}).stepped()),
      op("aten::scatter_add", "out of bounds")
          .on(input({3, 4}), 0, integers({1, 1}, 3, 3), input({1, 1}))
          .throws()
          .without_meta(),
      op("aten::scatter_add", "dtypes differ")
          .on(input({3}).as(kDouble), 0, integers({2}, 0, 2), input({2}).as(kFloat))
          .throws(),
  };
}

}  // namespace gb::tests
