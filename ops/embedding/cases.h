// The calls of embedding and of its backward that the generic tests make.
#pragma once

#include "tests/op_case.h"

namespace gb::tests {

inline std::vector<OpCase> embedding_cases() {
  return {
      op("aten::embedding").on(input({5, 3}), integers({2, 2}, 0, 4)),
      op("aten::embedding", "int32, strided table").on(input({5, 3}).transposed(), integers({4}, 0, 4, kInt)),
      op("aten::embedding", "one index").on(input({5, 3}), integers({}, 0, 4)),
      op("aten::embedding", "no index").on(input({5, 3}), integers({0}, 0, 0)),
      op("aten::embedding", "padding row").on(input({5, 3}), integers({6}, 0, 4), 2).gradient_by_definition(),
      op("aten::embedding", "out of bounds").on(input({5, 3}), integers({2}, 5, 5)).throws().without_meta(),
      op("aten::embedding", "table is a vector").on(input({5}), integers({2}, 0, 4)).throws(),
      op("aten::embedding_backward").on(input({4, 3}), integers({4}, 0, 4), 5, -1, false, false),
      op("aten::embedding_dense_backward").on(input({4, 3}), integers({4}, 0, 4), 5, -1, false),
      op("aten::embedding_dense_backward", "padding row")
          .on(input({2, 2, 3}), integers({2, 2}, 0, 4), 5, 1, false),
      op("aten::embedding_dense_backward", "by frequency")
          .on(input({4, 3}), integers({4}, 0, 4), 5, -1, true)
          .not_differentiable(),
  };
}

}  // namespace gb::tests
