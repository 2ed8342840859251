// Calls of clone, contiguous, to and detach as data. (copy_, fill_ and zero_ write their input:
// copy_test.cc.)
#pragma once

#include <vector>

#include "tests/op_case.h"

namespace gb::tests {

inline std::vector<OpCase> copy_cases() {
  return {
      op("aten::clone").on(input({2, 3})).also_half(),
      op("aten::clone", "transposed").on(input({3, 4}).transposed()),
      op("aten::clone", "stepped").on(input({5, 2}).stepped()),
      op("aten::clone", "expanded").on(input({3, 4}).expanded()),
      op("aten::clone", "0-dim").on(input({})),
      op("aten::clone", "empty").on(input({0, 3})),
      op("aten::clone", "rows")
          .on(input({3, 4}).transposed())
          .with("memory_format", MemoryFormat::Contiguous),
      op("aten::contiguous").on(input({3, 4}).transposed()),
      op("aten::_to_copy").on(input({2, 3})).with("dtype", kDouble),
      op("aten::_to_copy", "to int64").on(input({2, 3})).with("dtype", kLong),
      op("aten::_to_copy", "to bool").on(integers({2, 3}, 0, 1)).with("dtype", kBool),
      op("aten::_to_copy", "from int64").on(integers({2, 3}, -9, 9)).with("dtype", kHalf),
      op("aten::to.dtype").on(input({3, 4}).transposed(), kDouble),
      op("aten::detach").on(input({2, 3})).not_differentiable(),
  };
}

}  // namespace gb::tests
