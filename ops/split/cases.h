// The calls of split, split_with_sizes, chunk and unbind that the generic tests make.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> split_cases() {
  return {
      op("aten::split.Tensor").on(input({5, 2}), 2),
      op("aten::split.Tensor", "in one piece").on(input({2, 3}).transposed(), 9, -1),
      op("aten::split.Tensor", "empty").on(input({0, 2}), 0),
      op("aten::split.Tensor", "0-d").on(input({}), 1).throws(),
      op("aten::split.Tensor", "negative").on(input({4}), -1).throws(),
      op("aten::split.Tensor", "of nothing").on(input({4}), 0).throws(),
      op("aten::split.sizes").on(input({5, 2}), ints({1, 4})),
      op("aten::split.sizes", "too short").on(input({5, 2}), ints({1, 3})).throws(),
      op("aten::split_with_sizes").on(input({2, 6}).stepped(), ints({1, 0, 5}), 1),
      op("aten::split_with_sizes", "too long").on(input({2, 6}), ints({1, 6}), 1).throws(),
      op("aten::split_with_sizes", "negative").on(input({2, 6}), ints({7, -1}), 1).throws(),
      op("aten::chunk").on(input({2, 7}), 3, -1),
      op("aten::chunk", "fewer than asked for").on(input({5}), 4),
      op("aten::chunk", "empty").on(input({0, 2}), 3),
      op("aten::chunk", "none").on(input({5}), 0).throws(),
      op("aten::unbind.int").on(input({3, 2})),
      op("aten::unbind.int", "transposed").on(input({3, 4}).transposed(), 1),
      op("aten::unbind.int", "0-d").on(input({})).throws(),
  };
}

}  // namespace gb::tests
