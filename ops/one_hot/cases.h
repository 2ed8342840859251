// The calls of one_hot that the generic tests make.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> one_hot_cases() {
  return {
      op("aten::one_hot").on(integers({2, 3}, 0, 4), 5),
      op("aten::one_hot", "as many as needed").on(integers({6}, 0, 4)).without_meta(),
      op("aten::one_hot", "0-d").on(integers({}, 2, 2), 4),
      op("aten::one_hot", "empty").on(integers({0, 2}, 0, 0), 3),
      op("aten::one_hot", "empty, of unknown classes").on(integers({0}, 0, 0)).throws(),
      op("aten::one_hot", "too few classes").on(integers({3}, 4, 4), 4).throws().without_meta(),
      op("aten::one_hot", "negative").on(integers({3}, -2, -1), 4).throws().without_meta(),
      op("aten::one_hot", "floats").on(input({3}), 4).throws(),
  };
}

}  // namespace gb::tests
