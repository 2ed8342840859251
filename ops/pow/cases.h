// Calls of pow as data.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> pow_cases() {
  const TensorSpec positive = input({}).between(0.5, 2), any = input({});
  return joined({
      broadcasts("aten::pow.Tensor_Tensor", positive, any),
      layouts("aten::pow.Tensor_Scalar", any, 3),
      in_place_layouts("aten::pow_.Scalar", any, 2),
      in_place_layouts("aten::pow_.Tensor", positive, sized(any, {})),
      layouts("aten::pow.Tensor_Scalar", positive, 2.5),
      {
          op("aten::pow.Tensor_Scalar", "square").on(input({2, 3}), 2).also_half(),
          op("aten::pow.Tensor_Scalar", "root").on(input({2, 3}).between(0.5, 2), 0.5),
          op("aten::pow.Tensor_Scalar", "inverse").on(input({2, 3}).between(0.5, 2), -1),
          op("aten::pow.Tensor_Scalar", "0").on(input({2, 3}), 0),
          op("aten::pow.Tensor_Scalar", "1").on(input({2, 3}), 1),
          op("aten::pow.Tensor_Scalar", "integers").on(integers({2, 3}, -4, 4), 3),
          op("aten::pow.Tensor_Scalar", "integers, floating exponent").on(integers({2, 3}, 1, 4), 0.5),
          op("aten::pow.Tensor_Scalar", "integers, negative exponent")
              .on(integers({2, 3}, 1, 4), -1)
              .throws(),
          op("aten::pow.Tensor_Tensor", "negative integers").on(integers({9}, -2, 2), integers({9}, -3, 3)),
          op("aten::pow.Tensor_Tensor", "a number").on(input({2, 3}).between(0.5, 2), number(2.5)),
          op("aten::pow.Scalar").on(2.5, input({2, 3})),
          op("aten::pow.Scalar", "integers").on(2, integers({2, 3}, 0, 5)),
          op("aten::pow.Scalar", "0").on(0, input({2, 3}).between(0.5, 2)).once_differentiable(),
          op("aten::pow_.Scalar", "integers, floating exponent").on(integers({3}, 1, 4), 0.5).throws(),
          op("aten::pow_.Tensor", "would grow self").on(input({3}), input({2, 3})).throws(),
      },
  });
}

}  // namespace gb::tests
