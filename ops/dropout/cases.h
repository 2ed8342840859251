// The calls of dropout that the generic tests make. What is drawn differs from call to call: only where
// nothing is drawn are values compared and gradients checked.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> dropout_cases() {
  const TensorSpec x = input({3, 4});
  return {
      op("aten::dropout").on(x, 0.5, true).undefined_values(),
      op("aten::dropout", "transposed").on(x.transposed(), 0.5, true).undefined_values(),
      op("aten::dropout", "not training").on(x, 0.5, false),
      op("aten::dropout", "never").on(x, 0.0, true),
      op("aten::dropout", "always").on(x, 1.0, true),
      op("aten::dropout", "no elements").on(input({0}), 0.5, true),
      op("aten::dropout", "no probability").on(x, 1.5, true).throws(),
      op("aten::native_dropout").on(x, 0.5, true).undefined_values(),
      op("aten::native_dropout", "not training").on(x, 0.5, false),
      op("aten::native_dropout", "always").on(x, 1.0, true),
      op("aten::native_dropout", "no probability").on(x, -0.5, true).throws(),
      op("aten::native_dropout_backward").on(x, integers({3, 4}, 0, 1, kBool), 2.0),
      op("aten::native_dropout_backward", "a mask of numbers").on(x, integers({3, 4}, 0, 1), 2.0)
          .throws()
          .not_in_libtorch(),  // taken there, on the CPU
  };
}

}  // namespace gb::tests
