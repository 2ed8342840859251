// Calls of the six comparisons as data.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> comparison_cases() {
  std::vector<OpCase> all;
  const TensorSpec few = integers({2, 3}, 0, 2), bools = integers({2, 3}, 0, 1, kBool);
  for (const std::string name : {"eq", "ne", "lt", "le", "gt", "ge"}) {
    const std::string tensor = "aten::" + name + ".Tensor", scalar = "aten::" + name + ".Scalar";
    const std::string tensor_ = "aten::" + name + "_.Tensor", scalar_ = "aten::" + name + "_.Scalar";
    all.push_back(op(tensor).on(few, few).not_differentiable());
    all.push_back(op(tensor, "broadcast").on(input({2, 3}), input({3})).not_differentiable());
    all.push_back(op(tensor, "bools").on(bools, sized(bools, {3})).not_differentiable());
    all.push_back(op(tensor, "transposed, mixed")
                      .on(input({3, 4}).transposed(), integers({3, 4}, -1, 1))
                      .not_differentiable());
    all.push_back(op(scalar).on(integers({2, 3}, 0, 4), 2.5).not_differentiable());
    all.push_back(op(tensor_).on(input({2, 3}), input({2, 3})));
    all.push_back(op(tensor_, "broadcast, mixed").on(input({2, 3}), integers({3}, -1, 1)));
    all.push_back(op(tensor_, "integers").on(few, few));
    all.push_back(op(tensor_, "would grow self").on(input({3}), input({2, 3})).throws());
    all.push_back(op(scalar_).on(input({2, 3}), 0.5));
    all.push_back(op(scalar_, "integers").on(few, 1.5));
  }
  for (const std::string name : {"isnan", "isinf"}) {
    all.push_back(op("aten::" + name).on(input({2, 3}).transposed()).not_differentiable());
    all.push_back(op("aten::" + name, "integers").on(few).not_differentiable());
    all.push_back(op("aten::" + name, "bools").on(bools).not_differentiable());
  }
  return all;
}

}  // namespace gb::tests
