// The calls of bmm and baddbmm that the generic tests make.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> bmm_cases() {
  const TensorSpec a = input({2, 3, 4}), b = input({2, 4, 5});
  return {
      op("aten::bmm").on(a, b).also_half(),
      op("aten::bmm", "transposed").on(input({3, 2, 4}).transposed(), input({3, 4, 2}).transposed()),
      op("aten::bmm", "no unit stride").on(a.stepped(), b.stepped()),
      op("aten::bmm", "one matrix for all").on(a.expanded(), b.expanded()),
      op("aten::bmm", "no batch").on(input({0, 3, 4}), input({0, 4, 5})),
      op("aten::bmm", "no inner dimension").on(input({2, 3, 0}), input({2, 0, 5})),
      op("aten::bmm", "integer").on(integers({2, 2, 3}, -9, 9), integers({2, 3, 2}, -9, 9)),
      op("aten::bmm", "attention").on(input({8, 32, 16}), input({8, 16, 32})).once_differentiable().loose(4),
      op("aten::bmm", "batches differ").on(a, input({3, 4, 5})).throws(),
      op("aten::bmm", "inner sizes differ").on(a, input({2, 3, 5})).throws(),
      op("aten::bmm", "a matrix").on(a, input({4, 5})).throws(),
      op("aten::bmm", "dtypes differ").on(a.as(kFloat), b.as(kDouble)).throws(),
      op("aten::baddbmm").on(input({2, 3, 5}), a, b),
      op("aten::baddbmm", "a row, factors").on(input({5}), a, b).with("beta", 0.5).with("alpha", -2),
      op("aten::baddbmm", "0-dim").on(input({}), a, b),
      op("aten::baddbmm", "transposed self").on(input({2, 3, 5}).transposed(), a, b),
      op("aten::baddbmm", "beta 0").on(input({2, 3, 5}), a, b).with("beta", 0),
      op("aten::baddbmm", "integer")
          .on(integers({2, 1, 2}, -9, 9), integers({2, 2, 3}, -9, 9), integers({2, 3, 2}, -9, 9))
          .with("alpha", 3),
      op("aten::baddbmm", "self does not broadcast").on(input({4}), a, b).throws(),
      op("aten::baddbmm", "a factor of integers is none")
          .on(integers({2, 2, 2}, -9, 9), integers({2, 2, 3}, -9, 9), integers({2, 3, 2}, -9, 9))
          .with("alpha", 0.5)
          .throws()
          .not_in_libtorch(),  // there the factor becomes 0
      op("aten::baddbmm_").on(input({2, 3, 5}), a, b).with("beta", 0.5).with("alpha", 2),
      op("aten::baddbmm_", "transposed self").on(input({2, 3, 5}).transposed(), a, b),
      op("aten::baddbmm_", "self is broadcast").on(input({5}), a, b).throws(),
  };
}

}  // namespace gb::tests
