// The calls of addmm that the generic tests make.
#pragma once

#include "tests/op_case.h"

namespace gb::tests {

inline std::vector<OpCase> addmm_cases() {
  return {
      op("aten::addmm", "the LM head")
          .on(input({600}), input({2, 64}), input({64, 600}).transposed())
          .once_differentiable()
          .loose(40),
      op("aten::addmm").on(input({4}), input({2, 3}), input({3, 4})),
      op("aten::addmm", "factors")
          .on(input({2, 4}), input({2, 3}), input({3, 4}))
          .with("beta", 0.5)
          .with("alpha", -2),
      op("aten::addmm", "column bias").on(input({2, 1}), input({2, 3}), input({3, 4}).transposed()),
      op("aten::addmm", "0-d bias").on(input({}), input({2, 3}).transposed(), input({3, 4})),
      op("aten::addmm", "no inner dimension").on(input({4}), input({2, 0}), input({0, 4})),
      op("aten::addmm", "no rows").on(input({4}), input({0, 3}), input({3, 4})),
      op("aten::addmm", "integer")
          .on(integers({2}, -9, 9), integers({2, 3}, -9, 9), integers({3, 2}, -9, 9))
          .with("beta", 2),
      op("aten::addmm", "bias does not broadcast").on(input({3}), input({2, 3}), input({3, 4})).throws(),
      op("aten::addmm", "shapes do not fit").on(input({4}), input({2, 3}), input({2, 4})).throws(),
      op("aten::addmm", "dtypes differ")
          .on(input({4}).as(kFloat), input({2, 3}).as(kDouble), input({3, 4}).as(kDouble))
          .throws(),
  };
}

}  // namespace gb::tests
