// The calls of topk that the generic tests make. Values are random, so no two are equal.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> topk_cases() {
  return {
      op("aten::topk").on(input({2, 5}), 2),
      op("aten::topk", "smallest").on(input({2, 5}), 3, -1, false),
      op("aten::topk", "first dimension").on(input({5, 2, 3}).transposed(), 2, 0),
      op("aten::topk", "all").on(input({4}).stepped(), 4),
      op("aten::topk", "none").on(input({2, 3}), 0),
      op("aten::topk", "0-d").on(input({}), 1),
      op("aten::topk", "too many").on(input({2, 3}), 4).throws(),
      op("aten::topk", "bools").on(integers({3}, 0, 1, kBool), 1).throws().without_meta(),
  };
}

}  // namespace gb::tests
