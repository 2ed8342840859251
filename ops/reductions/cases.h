// The calls of sum, mean, amax, amin, any, all and sum_to_size that the generic tests make.
#pragma once

#include "tests/op_case.h"

namespace gb::tests {

inline std::vector<OpCase> reductions_cases() {
  return {
      op("aten::sum").on(input({2, 3})),
      op("aten::sum", "0-d").on(input({})),
      op("aten::sum", "integer").on(integers({2, 3}, -9, 9, kInt)),
      op("aten::sum", "bool").on(integers({5}, 0, 1, kBool)),
      op("aten::sum", "no elements").on(input({0, 3})),
      op("aten::sum.dim_IntList").on(input({2, 3, 4}), ints({0, -1})),
      op("aten::sum.dim_IntList", "keepdim").on(input({2, 3, 4}), ints({1}), true),
      op("aten::sum.dim_IntList", "no list").on(input({2, 3}), none()),
      op("aten::sum.dim_IntList", "strided").on(input({3, 5}).stepped(), ints({0})),
      op("aten::sum.dim_IntList", "expanded").on(input({3, 5}).expanded(), ints({1})),
      op("aten::sum.dim_IntList", "a dimension twice").on(input({2, 3}), ints({0, -2})).throws(),
      op("aten::sum.dim_IntList", "no such dimension").on(input({2, 3}), ints({2})).throws(),
      op("aten::mean").on(input({2, 3})),
      op("aten::mean", "integer").on(integers({2, 3}, -9, 9)).throws(),
      op("aten::mean", "integer with a dtype").on(integers({2, 3}, -9, 9)).with("dtype", kDouble),
      op("aten::mean.dim").on(input({2, 3, 4}), ints({1}), true),
      op("aten::mean.dim", "transposed").on(input({3, 4}).transposed(), ints({0})),
      op("aten::amax").on(input({2, 3}), ints({1})),
      op("aten::amax", "all").on(input({2, 3})),
      op("aten::amax", "0-d").on(input({})),
      op("aten::amax", "integer").on(integers({2, 3}, -9, 9), ints({0}), true),
      op("aten::amax", "no elements").on(input({2, 0}), ints({1})).throws(),
      op("aten::amax", "no elements elsewhere").on(input({0, 2}), ints({1})),
      op("aten::amin").on(input({2, 3}), ints({1})).also_half(),
      op("aten::amin", "all").on(input({2, 3})),
      op("aten::amin", "0-d").on(input({})),
      op("aten::amin", "transposed").on(input({3, 4}).transposed(), ints({0}), true),
      op("aten::amin", "stepped").on(input({3, 70}).stepped(), ints({1})),
      op("aten::amin", "bools").on(integers({2, 3}, 0, 1, kBool), ints({0})),
      op("aten::amin", "no elements").on(input({2, 0}), ints({1})).throws(),
      op("aten::any").on(integers({2, 3}, 0, 1, kBool)),
      op("aten::any", "numbers").on(input({2, 3})),
      op("aten::any", "no elements").on(input({0})),
      op("aten::any.dim").on(integers({3, 4}, 0, 1, kBool), 1),
      op("aten::any.dim", "keepdim").on(integers({3, 4}, 0, 1), 0, true),
      op("aten::any.dim", "no such dimension").on(input({3}), 1).throws(),
      op("aten::all").on(integers({2, 3}, 0, 1, kBool)),
      op("aten::all", "numbers").on(input({2, 3})),
      op("aten::all", "no elements").on(input({0})),
      op("aten::all.dim").on(integers({3, 4}, 0, 1, kBool), -1),
      op("aten::all.dim", "0-d").on(input({}), 0),
      op("aten::sum_to_size").on(input({2, 3, 4}), ints({3, 1})),
      op("aten::sum_to_size", "does not fit").on(input({2, 3}), ints({2})).throws(),
  };
}

}  // namespace gb::tests
