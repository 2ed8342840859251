// The calls of as_strided that the generic tests make.
#pragma once

#include "tests/op_case.h"

namespace gb::tests {

inline std::vector<OpCase> as_strided_cases() {
  return {
      op("aten::as_strided").on(input({6}), ints({2, 2}), ints({1, 2})),
      op("aten::as_strided", "overlapping, with an offset").on(input({6}), ints({3, 2}), ints({1, 1}), 2),
      op("aten::as_strided", "of a transposed tensor")
          .on(input({2, 3}).transposed(), ints({2, 2}), ints({3, 1})),
      op("aten::as_strided", "no elements").on(input({6}), ints({0, 9}), ints({1, 1})),
      op("aten::as_strided", "outside the storage").on(input({6}), ints({4}), ints({2})).throws(),
      op("aten::as_strided", "lengths differ").on(input({6}), ints({2}), ints({1, 1})).throws(),
      op("aten::as_strided", "negative stride").on(input({6}), ints({2}), ints({-1})).throws(),
  };
}

}  // namespace gb::tests
