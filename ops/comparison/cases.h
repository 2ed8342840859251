// Calls of the six comparisons as data.
#pragma once

#include <vector>

#include "tests/op_case.h"

namespace gb::tests {

inline std::vector<OpCase> comparison_cases() {
  return {
      op("aten::eq.Tensor").on(integers({2, 3}, 0, 2), integers({2, 3}, 0, 2)).not_differentiable(),
      op("aten::eq.Tensor", "broadcast").on(input({2, 3}), input({3})).not_differentiable(),
      op("aten::eq.Tensor", "bools")
          .on(integers({2, 3}, 0, 1, kBool), integers({3}, 0, 1, kBool))
          .not_differentiable(),
      op("aten::eq.Tensor", "transposed, mixed")
          .on(input({3, 4}).transposed(), integers({3, 4}, -1, 1))
          .not_differentiable(),
      op("aten::eq.Scalar").on(integers({2, 3}, 0, 4), 2.5).not_differentiable(),
      op("aten::ne.Tensor").on(integers({2, 3}, 0, 2), integers({2, 3}, 0, 2)).not_differentiable(),
      op("aten::ne.Tensor", "broadcast").on(input({2, 3}), input({3})).not_differentiable(),
      op("aten::ne.Tensor", "bools")
          .on(integers({2, 3}, 0, 1, kBool), integers({3}, 0, 1, kBool))
          .not_differentiable(),
      op("aten::ne.Tensor", "transposed, mixed")
          .on(input({3, 4}).transposed(), integers({3, 4}, -1, 1))
          .not_differentiable(),
      op("aten::ne.Scalar").on(integers({2, 3}, 0, 4), 2.5).not_differentiable(),
      op("aten::lt.Tensor").on(integers({2, 3}, 0, 2), integers({2, 3}, 0, 2)).not_differentiable(),
      op("aten::lt.Tensor", "broadcast").on(input({2, 3}), input({3})).not_differentiable(),
      op("aten::lt.Tensor", "bools")
          .on(integers({2, 3}, 0, 1, kBool), integers({3}, 0, 1, kBool))
          .not_differentiable(),
      op("aten::lt.Tensor", "transposed, mixed")
          .on(input({3, 4}).transposed(), integers({3, 4}, -1, 1))
          .not_differentiable(),
      op("aten::lt.Scalar").on(integers({2, 3}, 0, 4), 2.5).not_differentiable(),
      op("aten::le.Tensor").on(integers({2, 3}, 0, 2), integers({2, 3}, 0, 2)).not_differentiable(),
      op("aten::le.Tensor", "broadcast").on(input({2, 3}), input({3})).not_differentiable(),
      op("aten::le.Tensor", "bools")
          .on(integers({2, 3}, 0, 1, kBool), integers({3}, 0, 1, kBool))
          .not_differentiable(),
      op("aten::le.Tensor", "transposed, mixed")
          .on(input({3, 4}).transposed(), integers({3, 4}, -1, 1))
          .not_differentiable(),
      op("aten::le.Scalar").on(integers({2, 3}, 0, 4), 2.5).not_differentiable(),
      op("aten::gt.Tensor").on(integers({2, 3}, 0, 2), integers({2, 3}, 0, 2)).not_differentiable(),
      op("aten::gt.Tensor", "broadcast").on(input({2, 3}), input({3})).not_differentiable(),
      op("aten::gt.Tensor", "bools")
          .on(integers({2, 3}, 0, 1, kBool), integers({3}, 0, 1, kBool))
          .not_differentiable(),
      op("aten::gt.Tensor", "transposed, mixed")
          .on(input({3, 4}).transposed(), integers({3, 4}, -1, 1))
          .not_differentiable(),
      op("aten::gt.Scalar").on(integers({2, 3}, 0, 4), 2.5).not_differentiable(),
      op("aten::ge.Tensor").on(integers({2, 3}, 0, 2), integers({2, 3}, 0, 2)).not_differentiable(),
      op("aten::ge.Tensor", "broadcast").on(input({2, 3}), input({3})).not_differentiable(),
      op("aten::ge.Tensor", "bools")
          .on(integers({2, 3}, 0, 1, kBool), integers({3}, 0, 1, kBool))
          .not_differentiable(),
      op("aten::ge.Tensor", "transposed, mixed")
          .on(input({3, 4}).transposed(), integers({3, 4}, -1, 1))
          .not_differentiable(),
      op("aten::ge.Scalar").on(integers({2, 3}, 0, 4), 2.5).not_differentiable(),
  };
}

}  // namespace gb::tests
