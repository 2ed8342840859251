// Calls of tanh, sigmoid, relu and gelu as data.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> activations_cases() {
  std::vector<OpCase> all;
  const auto add = [&](std::vector<OpCase> list) { all.insert(all.end(), list.begin(), list.end()); };
  const TensorSpec any = input({}), positive = any.between(0.5, 3), output = any.between(0.1, 0.9);
  for (const std::string name : {"tanh", "sigmoid", "gelu"})
    add(joined({layouts("aten::" + name), in_place_layouts("aten::" + name + "_")}));
  add(joined({layouts("aten::relu", positive), in_place_layouts("aten::relu_", positive)}));
  for (const std::string name : {"tanh_backward", "sigmoid_backward"})
    add(layouts("aten::" + name, any, sized(output, {})));
  add(joined({layouts("aten::gelu_backward", any, sized(any, {})),
              layouts("aten::threshold_backward", any, sized(positive, {}), 0)}));
  add({
      op("aten::tanh", "integers").on(integers({2, 3}, -2, 2)),
      op("aten::tanh", "far").on(input({4}).between(8, 20)),
      op("aten::tanh_", "integers").on(integers({3}, 1, 4)).throws(),
      op("aten::sigmoid", "bools").on(integers({3}, 0, 1, kBool)),
      op("aten::sigmoid", "far").on(input({4}).between(-90, -60)),
      op("aten::relu", "negative").on(input({2, 3}).between(-3, -0.5)),
      op("aten::relu", "integers").on(integers({2, 3}, -4, 4)),
      op("aten::relu", "bools").on(integers({3}, 0, 1, kBool)).throws(),
      op("aten::gelu", "by tanh").on(input({2, 3})).with("approximate", "tanh").also_half(),
      op("aten::gelu", "far").on(input({4}).between(-6, -4)),
      op("aten::gelu", "integers").on(integers({2, 3}, -4, 4)).throws().without_meta(),
      op("aten::gelu", "no such form").on(input({2})).with("approximate", "erf").throws().without_meta(),
      op("aten::gelu_", "by tanh").on(input({2, 3})).with("approximate", "tanh"),
      op("aten::gelu_backward", "by tanh").on(input({2, 3}), input({2, 3})).with("approximate", "tanh"),
      op("aten::gelu_backward").on(input({2, 3}), input({2, 3})).also_half(),
      op("aten::tanh_backward").on(input({2, 3}), input({2, 3}).between(0.1, 0.9)).also_half(),
      op("aten::sigmoid_backward").on(input({2, 3}), input({2, 3}).between(0.1, 0.9)).also_half(),
      op("aten::threshold_backward")
          .on(input({2, 3}), input({2, 3}).between(0.5, 3), 1)
          .also_half()
          .once_differentiable(),
  });
  return all;
}

}  // namespace gb::tests
