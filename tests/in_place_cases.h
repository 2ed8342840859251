// Calls of the operators that write their first argument, for the generic tests, and of conversions that name a device.
// They stand together because their rules are common: self keeps its dtype and sizes, and nothing is written on an error.
#pragma once

#include <string>

#include "tests/op_case.h"

namespace gb::tests {

inline std::vector<OpCase> in_place_arithmetic_cases() {
  std::vector<OpCase> cases;
  for (const std::string name : {"add_", "sub_", "mul_", "div_"}) {
    const std::string tensor = "aten::" + name + ".Tensor", scalar = "aten::" + name + ".Scalar";
    const auto other = [&](std::vector<int64_t> sizes) { return input(std::move(sizes)).between(0.5, 2); };
    cases.push_back(op(tensor).on(input({2, 3}), other({2, 3})).also_half());
    cases.push_back(op(tensor, "broadcast").on(input({2, 3}), other({3})));
    cases.push_back(op(tensor, "0-d").on(input({}), other({})));
    cases.push_back(op(tensor, "zero-size").on(input({0, 2}), other({1, 2})));
    cases.push_back(op(tensor, "transposed").on(input({3, 4}).transposed(), other({3, 4})));
    cases.push_back(op(tensor, "stepped").on(input({3, 4}).stepped(), other({4})));
    cases.push_back(op(tensor, "number").on(input({2, 3}), number(3)));
    cases.push_back(op(tensor, "constant self").on(input({2, 3}).constant(), other({2, 3})));
    cases.push_back(op(scalar).on(input({2, 3}), 0.5));
    cases.push_back(op(tensor, "would grow self").on(input({3}), input({2, 3})).throws());
    cases.push_back(op(tensor, "floating into integers").on(integers({3}, 1, 5), other({3})).throws());
    cases.push_back(op(scalar, "floating number into integers").on(integers({3}, 1, 5), 0.5).throws());
    cases.push_back(op(tensor, "self overlaps itself").on(input({3, 2}).expanded(), other({3, 2})).throws().without_meta());
  }
  cases.push_back(op("aten::add_.Tensor", "alpha").on(input({2, 3}), input({3})).with("alpha", -2));
  cases.push_back(op("aten::sub_.Tensor", "alpha").on(input({2, 3}), input({3})).with("alpha", 0.5));
  cases.push_back(op("aten::add_.Scalar", "alpha").on(input({2, 3}), 1.5, 2));
  return cases;
}

inline std::vector<OpCase> in_place_copy_cases() {
  return {
      op("aten::copy_").on(input({2, 3}), input({2, 3})),
      op("aten::copy_", "broadcast").on(input({2, 3}), input({3})),
      op("aten::copy_", "transposed").on(input({3, 4}).transposed(), input({3, 4})),
      op("aten::copy_", "from integers").on(input({4}), integers({4}, -9, 9)),
      op("aten::copy_", "to integers").on(integers({4}, -9, 9), input({4}).between(0.1, 5).constant()),
      op("aten::copy_", "to bool").on(integers({4}, 0, 1, kBool), integers({4}, 0, 2)),
      op("aten::copy_", "would grow self").on(input({3}), input({2, 3})).throws(),
      op("aten::fill_.Scalar").on(input({2, 3}), 1.5),
      op("aten::fill_.Scalar", "stepped").on(input({2, 3}).stepped(), 2),
      op("aten::fill_.Tensor").on(input({2, 3}), input({})),
      op("aten::fill_.Tensor", "converts").on(integers({3}, 0, 9), input({}).constant()),
      op("aten::fill_.Tensor", "not 0-d").on(input({2, 3}), input({1})).throws(),
      op("aten::zero_").on(input({2, 3}).transposed()),
      op("aten::detach_").on(input({2, 3}).constant()),
      op("aten::to.device").on(input({2, 3}), kCPU, kDouble).without_meta(),
      op("aten::to.device", "long").on(input({4}).between(0.1, 9), kCPU, kLong).without_meta(),
      op("aten::to.dtype_layout").on(input({2, 3})).with("dtype", kFloat),
      op("aten::to.dtype_layout", "copy").on(input({2, 3}).transposed()).with("dtype", kDouble).with("copy", true),
      op("aten::embedding_backward").on(input({4, 3}), integers({4}, 0, 4), 5, -1, false, false),
  };
}

}  // namespace gb::tests
