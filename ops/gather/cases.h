// The calls of gather, scatter_add and scatter_add_ that the generic tests make.
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
      op("aten::scatter_add", "0-d").on(input({}), 0, integers({}, 0, 0), input({})),
      op("aten::scatter_add", "integers").on(integers({3}, -9, 9), 0, integers({5}, 0, 2), integers({5}, -9, 9)),
      op("aten::scatter_add", "index of floats").on(input({3}), 0, input({2}), input({2})).throws(),
      op("aten::scatter_add", "src too small").on(input({3}), 0, integers({2}, 0, 2), input({1})).throws(),
      op("aten::scatter_add_").on(input({3, 4}), 1, integers({3, 2}, 0, 3), input({3, 2})).also_half(),
      op("aten::scatter_add_", "every index the same").on(input({3}), 0, integers({6}, 1, 1), input({6})),
      op("aten::scatter_add_", "transposed").on(input({3, 4}).transposed(), 0, integers({5, 2}, 0, 2), input({5, 2})),
      op("aten::scatter_add_", "stepped").on(input({4, 3}).stepped(), -1, integers({4, 3}, 0, 2), input({4, 3}).stepped()),
      op("aten::scatter_add_", "0-d").on(input({}), 0, integers({}, 0, 0), input({})),
      op("aten::scatter_add_", "no index").on(input({3}), 0, integers({0}, 0, 0), input({0})),
      op("aten::scatter_add_", "bools").on(integers({3}, 0, 1, kBool), 0, integers({4}, 0, 2), integers({4}, 0, 1, kBool)),
      op("aten::scatter_add_", "out of bounds")
          .on(input({3, 4}), 0, integers({1, 1}, 3, 3), input({1, 1}))
          .throws()
          .without_meta(),
      op("aten::scatter_add_", "dtypes differ").on(input({3}), 0, integers({2}, 0, 2), integers({2}, 0, 2)).throws(),
      op("aten::scatter_add_", "self overlaps itself")
          .on(input({3, 2}).expanded(), 0, integers({2, 2}, 0, 2), input({2, 2}))
          .throws()
          .without_meta(),
  };
}

}  // namespace gb::tests
