// The calls of cumsum that the generic tests make.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> scan_cases() {
  return joined({
      layouts("aten::cumsum", input({}), -1),
      {
          op("aten::cumsum", "first dimension").on(input({3, 2}), 0),
          op("aten::cumsum", "middle, transposed").on(input({2, 3, 4}).transposed(), 1),
          op("aten::cumsum", "one element").on(input({2, 1}), 1),
          op("aten::cumsum", "integers").on(integers({2, 3}, -9, 9, kInt), 1),
          op("aten::cumsum", "bools").on(integers({5}, 0, 1, kBool), 0),
          op("aten::cumsum", "integers to float").on(integers({2, 3}, -9, 9), 1).with("dtype", kFloat),
          op("aten::cumsum", "wider").on(input({2, 3}), 1).with("dtype", kDouble),
          op("aten::cumsum", "as int32").on(integers({4}, -9, 9), 0).with("dtype", kInt),
          op("aten::cumsum", "no such dimension").on(input({2}), 1).throws(),
      },
  });
}

}  // namespace gb::tests
