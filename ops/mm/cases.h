// The calls of mm that the generic tests make.
#pragma once

#include "tests/op_case.h"

namespace gb::tests {

inline std::vector<OpCase> mm_cases() {
  return {
      op("aten::mm").on(input({2, 3}), input({3, 4})),
      op("aten::mm", "transposed").on(input({2, 3}).transposed(), input({3, 4}).transposed()),
      op("aten::mm", "no unit stride").on(input({2, 3}).stepped(), input({3, 4}).stepped()),
      op("aten::mm", "no rows").on(input({0, 3}), input({3, 4})),
      op("aten::mm", "no inner dimension").on(input({2, 0}), input({0, 4})),
      op("aten::mm", "one element").on(input({1, 1}), input({1, 1})),
      op("aten::mm", "integer").on(integers({2, 3}, -9, 9), integers({3, 2}, -9, 9)),
      op("aten::mm", "shapes do not fit").on(input({2, 64}), input({63, 600})).throws(),
      op("aten::mm", "vector").on(input({3}), input({3, 4})).throws(),
      op("aten::mm", "dtypes differ").on(input({2, 3}).as(kFloat), input({3, 2}).as(kDouble)).throws(),
  };
}

}  // namespace gb::tests
