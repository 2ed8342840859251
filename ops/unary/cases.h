// Calls of neg, exp and log as data.
#pragma once

#include <vector>

#include "tests/op_case.h"

namespace gb::tests {

inline std::vector<OpCase> unary_cases() {
  return {
      op("aten::neg").on(input({2, 3})).also_half(),
      op("aten::neg", "0-dim").on(input({})),
      op("aten::neg", "empty").on(input({0, 3})),
      op("aten::neg", "transposed").on(input({3, 4}).transposed()),
      op("aten::neg", "stepped").on(input({5, 2}).stepped()),
      op("aten::neg", "expanded").on(input({3, 4}).expanded()),
      op("aten::neg", "wide").on(input({7, 601})),
      op("aten::neg", "integers").on(integers({2, 3}, 1, 4)),
      op("aten::exp").on(input({2, 3})).also_half(),
      op("aten::exp", "0-dim").on(input({})),
      op("aten::exp", "empty").on(input({0, 3})),
      op("aten::exp", "transposed").on(input({3, 4}).transposed()),
      op("aten::exp", "stepped").on(input({5, 2}).stepped()),
      op("aten::exp", "expanded").on(input({3, 4}).expanded()),
      op("aten::exp", "wide").on(input({7, 601})),
      op("aten::exp", "integers").on(integers({2, 3}, 1, 4)),
      op("aten::log").on(input({2, 3}).between(0.5, 3)).also_half(),
      op("aten::log", "0-dim").on(input({}).between(0.5, 3)),
      op("aten::log", "empty").on(input({0, 3}).between(0.5, 3)),
      op("aten::log", "transposed").on(input({3, 4}).between(0.5, 3).transposed()),
      op("aten::log", "stepped").on(input({5, 2}).between(0.5, 3).stepped()),
      op("aten::log", "expanded").on(input({3, 4}).between(0.5, 3).expanded()),
      op("aten::log", "wide").on(input({7, 601}).between(0.5, 3)),
      op("aten::log", "integers").on(integers({2, 3}, 1, 4)),
      op("aten::exp", "bools").on(integers({3}, 0, 1, kBool)),
      op("aten::neg", "bools").on(integers({3}, 0, 1, kBool)).throws(),
  };
}

}  // namespace gb::tests
