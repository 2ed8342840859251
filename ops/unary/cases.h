// Calls of the mathematical functions as data.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> unary_cases() {
  std::vector<OpCase> all;
  const auto add = [&](std::vector<OpCase> list) { all.insert(all.end(), list.begin(), list.end()); };
  const TensorSpec any = input({}), positive = any.between(0.5, 3), between_steps = any.between(0.1, 0.9);
  for (const std::string name : {"neg", "exp", "sin", "cos", "square"})
    add(joined({layouts("aten::" + name, any), in_place_layouts("aten::" + name + "_", any)}));
  for (const std::string name : {"log", "sqrt", "rsqrt", "reciprocal", "abs", "sign"})
    add(joined({layouts("aten::" + name, positive), in_place_layouts("aten::" + name + "_", positive)}));
  add(joined({layouts("aten::floor", between_steps), in_place_layouts("aten::floor_", between_steps)}));
  for (const std::string name : {"neg", "abs", "sign", "floor", "square"}) {  // these keep the dtype
    add({op("aten::" + name, "integers").on(integers({2, 3}, -4, 4)),
         op("aten::" + name + "_", "integers").on(integers({2, 3}, -4, 4))});
  }
  for (const std::string name :
       {"exp", "log", "sqrt", "rsqrt", "reciprocal", "sin", "cos"}) {  // these promote
    add({op("aten::" + name, "integers").on(integers({2, 3}, 1, 4)),
         op("aten::" + name, "bools").on(integers({3}, 1, 1, kBool)),
         op("aten::" + name + "_", "integers").on(integers({2, 3}, 1, 4)).throws()});
  }
  add({op("aten::neg", "bools").on(integers({3}, 0, 1, kBool)).throws(),
       op("aten::sign", "bools").on(integers({3}, 0, 1, kBool)),
       op("aten::abs", "negative").on(input({2, 3}).between(-3, -0.5)),
       op("aten::sign", "negative").on(input({2, 3}).between(-3, -0.5))});
  return all;
}

}  // namespace gb::tests
