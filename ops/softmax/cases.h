// The calls of the softmax operators that the generic tests make.
#pragma once

#include <limits>

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> softmax_cases() {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<OpCase> softmax{
      op("aten::softmax.int").on(input({2, 5}), -1),
      op("aten::softmax.int", "first dimension").on(input({3, 4}), 0),
      op("aten::softmax.int", "middle dimension").on(input({2, 3, 4}), 1),
      op("aten::softmax.int", "strided").on(input({3, 4}).transposed(), 1),
      op("aten::softmax.int", "0-d").on(input({}), 0),
      op("aten::softmax.int", "no elements").on(input({2, 0}), 1),
      op("aten::softmax.int", "dtype").on(integers({2, 3}, -3, 3), 1, kFloat),
      op("aten::softmax.int", "integer").on(integers({2, 3}, -3, 3), 1).throws(),
      op("aten::softmax.int", "no such dimension").on(input({2, 3}), 2).throws(),
      op("aten::_safe_softmax").on(input({2, 5}), -1),
      op("aten::_safe_softmax", "a row of -inf, first dimension")
          .on(input({4, 1}).between(-infinity, -infinity).constant(), 0),
      op("aten::_safe_softmax", "0-d, -inf").on(input({}).between(-infinity, -infinity).constant(), 0),
      op("aten::_safe_softmax", "dtype").on(integers({2, 3}, -3, 3), 1, kFloat),
      op("aten::_safe_softmax", "no such dimension").on(input({2, 3}), 2).throws(),
      op("aten::_softmax", "half to float on the CPU").on(input({2, 3}), 1, true).throws().without_meta(),
      op("aten::_softmax").on(input({2, 600}), 1, false).once_differentiable().also_half(),
      op("aten::_softmax_backward_data")
          .on(input({2, 5}), input({2, 5}).between(0, 1), 1, kDouble)
          .in({kDouble}),
      op("aten::_softmax_backward_data", "first dimension")
          .on(input({3, 4}), input({3, 4}).between(0, 1), 0, kDouble)
          .in({kDouble}),
  };
  const std::vector<OpCase> log_softmax{
      op("aten::log_softmax.int").on(input({2, 5}), -1),
      op("aten::log_softmax.int", "first dimension").on(input({3, 4}), 0),
      op("aten::log_softmax.int", "middle dimension").on(input({2, 3, 4}), 1),
      op("aten::log_softmax.int", "strided").on(input({3, 4}).transposed(), 1),
      op("aten::log_softmax.int", "0-d").on(input({}), 0),
      op("aten::log_softmax.int", "no elements").on(input({2, 0}), 1),
      op("aten::log_softmax.int", "dtype").on(integers({2, 3}, -3, 3), 1, kFloat),
      op("aten::log_softmax.int", "integer").on(integers({2, 3}, -3, 3), 1).throws(),
      op("aten::log_softmax.int", "no such dimension").on(input({2, 3}), 2).throws(),
      op("aten::_log_softmax", "half to float on the CPU").on(input({2, 3}), 1, true).throws().without_meta(),
      op("aten::_log_softmax").on(input({2, 600}), 1, false).once_differentiable().also_half(),
      op("aten::_log_softmax_backward_data")
          .on(input({2, 5}), input({2, 5}).between(-3, 0), 1, kDouble)
          .in({kDouble}),
      op("aten::_log_softmax_backward_data", "first dimension")
          .on(input({3, 4}), input({3, 4}).between(-3, 0), 0, kDouble)
          .in({kDouble}),
  };
  return joined({softmax, log_softmax});
}

}  // namespace gb::tests
