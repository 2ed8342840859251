// The calls of layer_norm that the generic tests make.
#pragma once

#include <array>

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> layer_norm_cases() {
  const TensorSpec x = input({2, 3, 4}), row = input({4}), statistic = input({2, 3, 1}).constant();
  const std::array<bool, 3> all{true, true, true}, some{false, true, false};
  return {
      op("aten::layer_norm").on(x, ints({4}), row, row),
      op("aten::layer_norm", "no weight, no bias").on(x, ints({4})),
      op("aten::layer_norm", "a weight only").on(x, ints({4}), row),
      op("aten::layer_norm", "a bias only").on(x, ints({4}), none(), row),
      op("aten::layer_norm", "two dimensions").on(x, ints({3, 4}), input({3, 4}), input({3, 4})),
      op("aten::layer_norm", "all dimensions").on(row, ints({4}), row, row),
      op("aten::layer_norm", "strided").on(x.transposed(), ints({4}), row.stepped(), row.stepped()),
      op("aten::layer_norm", "eps").on(x, ints({4}), row, row, 0.5),
      op("aten::layer_norm", "no rows").on(input({0, 4}), ints({4}), row, row),
      op("aten::layer_norm", "wide")
          .on(input({5, 64}), ints({64}), input({64}), input({64}))
          .once_differentiable(),
      op("aten::layer_norm", "other sizes").on(x, ints({3}), row, row).throws(),
      op("aten::layer_norm", "weight of other sizes").on(x, ints({4}), input({3})).throws(),
      op("aten::layer_norm", "no sizes").on(x, ints({})).throws(),
      op("aten::layer_norm", "integers").on(integers({2, 4}, -9, 9), ints({4})).throws(),
      op("aten::native_layer_norm").on(x, ints({4}), row, row, 1e-5),
      op("aten::native_layer_norm", "two dimensions").on(x, ints({3, 4}), none(), none(), 1e-5),
      op("aten::native_layer_norm_backward")
          .on(x, x, ints({4}), statistic, statistic.between(0.5, 2), row, row, all)
          .not_differentiable(),
      op("aten::native_layer_norm_backward", "of the weight")
          .on(x, x, ints({4}), statistic, statistic.between(0.5, 2), row, none(), some)
          .not_differentiable(),
      op("aten::native_layer_norm_backward", "mean of another input")
          .on(x, x, ints({4}), input({2, 1}).constant(), statistic, row, row, all)
          .throws()
          .not_in_libtorch(),  // read past the end there
  };
}

}  // namespace gb::tests
