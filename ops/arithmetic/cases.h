// Calls of add, sub, mul and div as data.
#pragma once

#include <vector>

#include "tests/op_case.h"

namespace gb::tests {

inline std::vector<OpCase> add_cases() {
  return {
      op("aten::add.Tensor").on(input({2, 3}), input({2, 3})).also_half(),
      op("aten::add.Tensor", "one element").on(input({1}), input({1})),
      op("aten::add.Tensor", "0-dim").on(input({}), input({})),
      op("aten::add.Tensor", "broadcast").on(input({2, 1, 3}), input({4, 1})),
      op("aten::add.Tensor", "transposed").on(input({3, 4}).transposed(), input({3, 4}).transposed()),
      op("aten::add.Tensor", "transposed and row-major").on(input({3, 4}).transposed(), input({3, 4})),
      op("aten::add.Tensor", "stepped and expanded").on(input({3, 4}).stepped(), input({3, 4}).expanded()),
      op("aten::add.Tensor", "empty").on(input({2, 0}), input({1})),
      op("aten::add.Tensor", "wide").on(input({7, 601}), input({7, 601})),
      op("aten::add.Tensor", "integers").on(integers({2, 3}, -9, 9), integers({2, 3}, 1, 9)),
      op("aten::add.Tensor", "int32 and int64").on(integers({2, 3}, -9, 9, kInt), integers({2, 3}, 1, 9)),
      op("aten::add.Tensor", "with integers").on(input({2, 3}), integers({2, 3}, 1, 9)),
      op("aten::add.Tensor", "0-dim float64").on(input({2, 3}), input({}).as(kDouble).between(0.5, 2)),
      op("aten::add.Tensor", "a number").on(input({2, 3}), number(2.5)),
      op("aten::add.Tensor", "integers and a number").on(integers({2, 3}, -9, 9), number(2.5)),
      op("aten::add.Tensor", "shapes do not broadcast").on(input({2, 3}), input({2})).throws(),
      op("aten::add.Scalar").on(input({2, 3}), 2.5),
      op("aten::add.Scalar", "integers").on(integers({2, 3}, -9, 9), 3),
      op("aten::add.Tensor", "alpha").on(input({2, 3}), input({3})).with("alpha", 2.5),
      op("aten::add.Tensor", "integers, alpha")
          .on(integers({2, 3}, -9, 9), integers({3}, -9, 9))
          .with("alpha", 2),
      op("aten::add.Tensor", "integers, floating alpha")
          .on(integers({3}, 0, 9), integers({3}, 0, 9))
          .with("alpha", 0.5)
          .throws(),
      op("aten::add.Tensor", "bools").on(integers({3}, 0, 1, kBool), integers({3}, 1, 1, kBool)),
  };
}

inline std::vector<OpCase> sub_cases() {
  return {
      op("aten::sub.Tensor").on(input({2, 3}), input({2, 3})).also_half(),
      op("aten::sub.Tensor", "one element").on(input({1}), input({1})),
      op("aten::sub.Tensor", "0-dim").on(input({}), input({})),
      op("aten::sub.Tensor", "broadcast").on(input({2, 1, 3}), input({4, 1})),
      op("aten::sub.Tensor", "transposed").on(input({3, 4}).transposed(), input({3, 4}).transposed()),
      op("aten::sub.Tensor", "transposed and row-major").on(input({3, 4}).transposed(), input({3, 4})),
      op("aten::sub.Tensor", "stepped and expanded").on(input({3, 4}).stepped(), input({3, 4}).expanded()),
      op("aten::sub.Tensor", "empty").on(input({2, 0}), input({1})),
      op("aten::sub.Tensor", "wide").on(input({7, 601}), input({7, 601})),
      op("aten::sub.Tensor", "integers").on(integers({2, 3}, -9, 9), integers({2, 3}, 1, 9)),
      op("aten::sub.Tensor", "int32 and int64").on(integers({2, 3}, -9, 9, kInt), integers({2, 3}, 1, 9)),
      op("aten::sub.Tensor", "with integers").on(input({2, 3}), integers({2, 3}, 1, 9)),
      op("aten::sub.Tensor", "0-dim float64").on(input({2, 3}), input({}).as(kDouble).between(0.5, 2)),
      op("aten::sub.Tensor", "a number").on(input({2, 3}), number(2.5)),
      op("aten::sub.Tensor", "integers and a number").on(integers({2, 3}, -9, 9), number(2.5)),
      op("aten::sub.Tensor", "shapes do not broadcast").on(input({2, 3}), input({2})).throws(),
      op("aten::sub.Scalar").on(input({2, 3}), 2.5),
      op("aten::sub.Scalar", "integers").on(integers({2, 3}, -9, 9), 3),
      op("aten::sub.Tensor", "alpha").on(input({2, 3}), input({3})).with("alpha", 2.5),
      op("aten::sub.Tensor", "integers, alpha")
          .on(integers({2, 3}, -9, 9), integers({3}, -9, 9))
          .with("alpha", 2),
      op("aten::sub.Tensor", "integers, floating alpha")
          .on(integers({3}, 0, 9), integers({3}, 0, 9))
          .with("alpha", 0.5)
          .throws(),
      op("aten::sub.Tensor", "bools").on(integers({3}, 0, 1, kBool), integers({3}, 0, 1, kBool)).throws(),
  };
}

inline std::vector<OpCase> mul_cases() {
  return {
      op("aten::mul.Tensor").on(input({2, 3}), input({2, 3})).also_half(),
      op("aten::mul.Tensor", "one element").on(input({1}), input({1})),
      op("aten::mul.Tensor", "0-dim").on(input({}), input({})),
      op("aten::mul.Tensor", "broadcast").on(input({2, 1, 3}), input({4, 1})),
      op("aten::mul.Tensor", "transposed").on(input({3, 4}).transposed(), input({3, 4}).transposed()),
      op("aten::mul.Tensor", "transposed and row-major").on(input({3, 4}).transposed(), input({3, 4})),
      op("aten::mul.Tensor", "stepped and expanded").on(input({3, 4}).stepped(), input({3, 4}).expanded()),
      op("aten::mul.Tensor", "empty").on(input({2, 0}), input({1})),
      op("aten::mul.Tensor", "wide").on(input({7, 601}), input({7, 601})),
      op("aten::mul.Tensor", "integers").on(integers({2, 3}, -9, 9), integers({2, 3}, 1, 9)),
      op("aten::mul.Tensor", "int32 and int64").on(integers({2, 3}, -9, 9, kInt), integers({2, 3}, 1, 9)),
      op("aten::mul.Tensor", "with integers").on(input({2, 3}), integers({2, 3}, 1, 9)),
      op("aten::mul.Tensor", "0-dim float64").on(input({2, 3}), input({}).as(kDouble).between(0.5, 2)),
      op("aten::mul.Tensor", "a number").on(input({2, 3}), number(2.5)),
      op("aten::mul.Tensor", "integers and a number").on(integers({2, 3}, -9, 9), number(2.5)),
      op("aten::mul.Tensor", "shapes do not broadcast").on(input({2, 3}), input({2})).throws(),
      op("aten::mul.Scalar").on(input({2, 3}), 2.5),
      op("aten::mul.Scalar", "integers").on(integers({2, 3}, -9, 9), 3),
      op("aten::mul.Tensor", "bools").on(integers({3}, 0, 1, kBool), integers({3}, 1, 1, kBool)),
  };
}

inline std::vector<OpCase> div_cases() {
  return {
      op("aten::div.Tensor").on(input({2, 3}), input({2, 3}).between(0.5, 2)).also_half(),
      op("aten::div.Tensor", "one element").on(input({1}), input({1}).between(0.5, 2)),
      op("aten::div.Tensor", "0-dim").on(input({}), input({}).between(0.5, 2)),
      op("aten::div.Tensor", "broadcast").on(input({2, 1, 3}), input({4, 1}).between(0.5, 2)),
      op("aten::div.Tensor", "transposed")
          .on(input({3, 4}).transposed(), input({3, 4}).between(0.5, 2).transposed()),
      op("aten::div.Tensor", "transposed and row-major")
          .on(input({3, 4}).transposed(), input({3, 4}).between(0.5, 2)),
      op("aten::div.Tensor", "stepped and expanded")
          .on(input({3, 4}).stepped(), input({3, 4}).between(0.5, 2).expanded()),
      op("aten::div.Tensor", "empty").on(input({2, 0}), input({1}).between(0.5, 2)),
      op("aten::div.Tensor", "wide").on(input({7, 601}), input({7, 601}).between(0.5, 2)),
      op("aten::div.Tensor", "integers").on(integers({2, 3}, -9, 9), integers({2, 3}, 1, 9)),
      op("aten::div.Tensor", "int32 and int64").on(integers({2, 3}, -9, 9, kInt), integers({2, 3}, 1, 9)),
      op("aten::div.Tensor", "with integers").on(input({2, 3}), integers({2, 3}, 1, 9)),
      op("aten::div.Tensor", "0-dim float64").on(input({2, 3}), input({}).as(kDouble).between(0.5, 2)),
      op("aten::div.Tensor", "a number").on(input({2, 3}), number(2.5)),
      op("aten::div.Tensor", "integers and a number").on(integers({2, 3}, -9, 9), number(2.5)),
      op("aten::div.Tensor", "shapes do not broadcast").on(input({2, 3}), input({2})).throws(),
      op("aten::div.Scalar").on(input({2, 3}), 2.5),
      op("aten::div.Scalar", "integers").on(integers({2, 3}, -9, 9), 3),
      op("aten::div.Tensor", "bools").on(integers({3}, 0, 1, kBool), integers({3}, 1, 1, kBool)),
  };
}

inline std::vector<OpCase> arithmetic_cases() {
  std::vector<OpCase> all;
  for (auto cases : {add_cases(), sub_cases(), mul_cases(), div_cases()})
    all.insert(all.end(), cases.begin(), cases.end());
  return all;
}

}  // namespace gb::tests
