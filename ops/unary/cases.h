// Calls of neg, exp and log as data.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> unary_cases() {
  const TensorSpec positive = input({}).between(0.5, 3);
  return joined({
      layouts("aten::neg"),
      in_place_layouts("aten::neg_"),
      layouts("aten::exp"),
      in_place_layouts("aten::exp_"),
      layouts("aten::log", positive),
      in_place_layouts("aten::log_", positive),
      {
          op("aten::neg", "integers").on(integers({2, 3}, 1, 4)),
          op("aten::neg", "bools").on(integers({3}, 0, 1, kBool)).throws(),
          op("aten::neg_", "integers").on(integers({2, 3}, 1, 4)),
          op("aten::exp", "integers").on(integers({2, 3}, 1, 4)),
          op("aten::exp", "bools").on(integers({3}, 0, 1, kBool)),
          op("aten::exp_", "integers").on(integers({2, 3}, 1, 4)).throws(),
          op("aten::log", "integers").on(integers({2, 3}, 1, 4)),
      },
  });
}

}  // namespace gb::tests
