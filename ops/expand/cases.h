// The calls of expand that the generic tests make.
#pragma once

#include "tests/op_case.h"

namespace gb::tests {

inline std::vector<OpCase> expand_cases() {
  return {
      op("aten::expand").on(input({2, 1}), ints({4, -1, 3})),
      op("aten::expand", "0-d").on(input({}), ints({2, 3})),
      op("aten::expand", "unchanged").on(input({2, 3}), ints({2, 3})),
      op("aten::expand", "to nothing").on(input({2, 1}), ints({2, 0})),
      op("aten::expand", "too few sizes").on(input({2, 3}), ints({3})).throws(),
      op("aten::expand", "not of size 1").on(input({2, 3}), ints({3, 3})).throws(),
      op("aten::expand", "-1 in a new dimension").on(input({3}), ints({-1, 3})).throws(),
  };
}

}  // namespace gb::tests
