// Calls of add, sub, mul and div as data. Those of the in-place forms: tests/in_place_cases.h.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> arithmetic_cases() {
  const auto numbers = [](const std::string& name) -> std::vector<OpCase> {  // of every one of the four
    const std::string tensor = name + ".Tensor", scalar = name + ".Scalar";
    return {
        op(tensor, "a number").on(input({2, 3}), number(2.5)),
        op(tensor, "integers and a number").on(integers({2, 3}, -9, 9), number(2.5)),
        op(scalar).on(input({2, 3}), 2.5),
        op(scalar, "integers").on(integers({2, 3}, -9, 9), 3),
    };
  };
  const auto alphas = [](const std::string& tensor) -> std::vector<OpCase> {  // of add and sub
    return {
        op(tensor, "alpha").on(input({2, 3}), input({3})).with("alpha", 2.5),
        op(tensor, "integers, alpha").on(integers({2, 3}, -9, 9), integers({3}, -9, 9)).with("alpha", 2),
        op(tensor, "integers, floating alpha")
            .on(integers({3}, 0, 9), integers({3}, 0, 9))
            .with("alpha", 0.5)
            .throws(),
    };
  };
  const auto bools = [](const std::string& tensor) {
    return op(tensor, "bools").on(integers({3}, 0, 1, kBool), integers({3}, 1, 1, kBool));
  };
  return joined({
      broadcasts("aten::add.Tensor"),
      numbers("aten::add"),
      alphas("aten::add.Tensor"),
      broadcasts("aten::sub.Tensor"),
      numbers("aten::sub"),
      alphas("aten::sub.Tensor"),
      broadcasts("aten::mul.Tensor"),
      numbers("aten::mul"),
      broadcasts("aten::div.Tensor", input({}), input({}).between(0.5, 2)),
      numbers("aten::div"),
      {bools("aten::add.Tensor"), bools("aten::sub.Tensor").throws(), bools("aten::mul.Tensor"),
       bools("aten::div.Tensor")},
  });
}

}  // namespace gb::tests
