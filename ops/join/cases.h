// The calls of cat and stack that the generic tests make.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> join_cases() {
  const auto list = [](std::vector<TensorSpec> tensors) { return tensors; };
  return {
      op("aten::cat").on(list({input({2, 3}), input({1, 3})})).also_half(),
      op("aten::cat", "last dimension").on(list({input({2, 3}).transposed(), input({2, 1}), input({2, 0})}), -1),
      op("aten::cat", "one").on(list({input({3, 2}).expanded()})),
      op("aten::cat", "skips empty ones").on(list({input({0}), input({2, 3}), input({0})}), 1),
      op("aten::cat", "all empty").on(list({input({0}), input({0})})),
      op("aten::cat", "promotes").on(list({integers({2}, -9, 9), input({3}), integers({1}, 0, 1, kBool)})),
      op("aten::cat", "0-d").on(list({input({}), input({1})})).throws(),
      op("aten::cat", "sizes differ").on(list({input({2, 3}), input({2, 4})})).throws(),
      op("aten::cat", "dimensions differ").on(list({input({2, 3}), input({2})})).throws(),
      op("aten::cat", "nothing").on(list({})).throws(),
      op("aten::stack").on(list({input({2, 3}), input({2, 3}).transposed()})).also_half(),
      op("aten::stack", "last dimension").on(list({input({2, 3}), input({2, 3}), input({2, 3}).stepped()}), -1),
      op("aten::stack", "0-d").on(list({input({}), input({})})),
      op("aten::stack", "promotes").on(list({integers({2}, -9, 9), input({2})})),
      op("aten::stack", "sizes differ").on(list({input({2}), input({3})})).throws(),
      op("aten::stack", "nothing").on(list({})).throws(),
  };
}

}  // namespace gb::tests
