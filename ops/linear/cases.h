// The calls of linear that the generic tests make.
#pragma once

#include "tests/op_case.h"

namespace gb::tests {

inline std::vector<OpCase> linear_cases() {
  return {
      op("aten::linear").on(input({2, 3}), input({4, 3}), input({4})),
      op("aten::linear", "no bias").on(input({2, 3}), input({4, 3})),
      op("aten::linear", "three dimensions").on(input({2, 2, 3}), input({4, 3}), input({4})),
      op("aten::linear", "three dimensions, no bias").on(input({2, 2, 3}), input({4, 3})),
      op("aten::linear", "no rows").on(input({0, 3}), input({4, 3}), input({4})),
      op("aten::linear", "shapes do not fit").on(input({2, 5}), input({4, 3}), input({4})).throws(),
  };
}

}  // namespace gb::tests
