// The calls of norm and linalg_vector_norm that the generic tests make.
#pragma once

#include <limits>

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> norm_cases() {
  const double infinity = std::numeric_limits<double>::infinity();
  const TensorSpec positive = input({3, 4}).between(0.5, 3), x = input({2, 3});
  return {
      op("aten::norm.Scalar").on(x),
      op("aten::norm.Scalar", "p 1").on(x, Scalar(1)),
      op("aten::norm.Scalar", "p 3").on(x, Scalar(3)),
      op("aten::norm.Scalar", "p 1.5").on(x, Scalar(1.5)),
      op("aten::norm.Scalar", "p 0.5").on(positive, Scalar(0.5)),
      op("aten::norm.Scalar", "p infinity").on(x, Scalar(infinity)),
      op("aten::norm.Scalar", "p 0").on(x, Scalar(0)),
      op("aten::norm.Scalar", "0-d").on(input({})),
      op("aten::norm.Scalar", "no elements").on(input({0})),
      op("aten::norm.Scalar", "transposed").on(input({3, 4}).transposed()),
      op("aten::norm.Scalar", "integers").on(integers({3}, -9, 9)).throws(),
      op("aten::norm.ScalarOpt_dim").on(x, Scalar(2), ints({1})),
      op("aten::norm.ScalarOpt_dim", "no p, keepdim").on(input({2, 3, 4}), none(), ints({0, -1}), true),
      op("aten::norm.ScalarOpt_dim", "p 0").on(x, Scalar(0), ints({1}), true),
      op("aten::norm.ScalarOpt_dim", "stepped").on(input({5, 3}).stepped(), Scalar(1), ints({0})),
      op("aten::norm.ScalarOpt_dim", "no such dimension").on(x, Scalar(2), ints({2})).throws(),
      op("aten::norm.ScalarOpt_dtype").on(x, Scalar(2)).with("dtype", kDouble),
      op("aten::norm.ScalarOpt_dim_dtype").on(x, Scalar(3), ints({0}), true).with("dtype", kDouble),
      op("aten::linalg_vector_norm").on(x).also_half(),
      op("aten::linalg_vector_norm", "one dimension").on(input({3, 4}), Scalar(2), ints({1})),
      op("aten::linalg_vector_norm", "infinity, keepdim")
          .on(input({3, 4}), Scalar(infinity), ints({0}), true),
      op("aten::linalg_vector_norm", "-infinity").on(input({3, 4}), Scalar(-infinity), ints({1})),
      op("aten::linalg_vector_norm", "p 0").on(input({3, 4}), Scalar(0), ints({1})),
      op("aten::linalg_vector_norm", "p -1").on(positive, Scalar(-1), ints({1})),
      op("aten::linalg_vector_norm", "p 4").on(input({3, 4}), Scalar(4)),
      op("aten::linalg_vector_norm", "wider").on(x, Scalar(2), none(), false).with("dtype", kDouble),
      op("aten::linalg_vector_norm", "narrower")
          .on(x, Scalar(2), none(), false)
          .with("dtype", kHalf)
          .throws(),
      op("aten::linalg_vector_norm", "no largest").on(input({0}), Scalar(infinity)).throws(),
      op("aten::linalg_vector_norm", "integers").on(integers({3}, -9, 9)).throws(),
  };
}

}  // namespace gb::tests
