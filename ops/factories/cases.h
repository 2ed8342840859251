// Calls of the factories as data.
#pragma once

#include <vector>

#include "tests/op_case.h"

namespace gb::tests {

inline std::vector<OpCase> factories_cases() {
  return {
      op("aten::zeros").on(ints({2, 3})).with("dtype", kDouble),
      op("aten::zeros", "default dtype").on(ints({2, 0})),
      op("aten::ones").on(ints({2, 3})),
      op("aten::full").on(ints({2, 3}), 2.5),
      op("aten::full", "an integer").on(ints({2}), 2),
      op("aten::full", "a bool").on(ints({2}), true),
      op("aten::scalar_tensor").on(2),
      op("aten::empty.memory_format").on(ints({2, 3})).undefined_values(),
      op("aten::empty_strided").on(ints({2, 3}), ints({1, 2})).undefined_values(),
      op("aten::zeros", "negative size").on(ints({2, -1})).throws(),
      op("aten::arange").on(5),
      op("aten::arange.start").on(2, 5),
      op("aten::arange.start_step").on(5, 0, -2),
      op("aten::arange.start_step", "floating").on(0, 1, 0.25),
      op("aten::arange.start_step", "wrong sign").on(0, 5, -1).throws(),
      op("aten::eye.m").on(2, 3),
      op("aten::zeros_like").on(input({3, 4}).transposed()).not_differentiable(),
      op("aten::ones_like").on(input({2, 3})).with("dtype", kLong).not_differentiable(),
      op("aten::full_like").on(input({2, 3}), 2.5).not_differentiable(),
      op("aten::empty_like").on(input({3, 4}).transposed()).undefined_values(),
  };
}

}  // namespace gb::tests
