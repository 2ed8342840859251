// Calls of addcmul, addcdiv and lerp as data.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> addc_cases() {
  std::vector<OpCase> all;
  const TensorSpec any = input({2, 3}), divisor = any.between(0.5, 2), weight = any.between(0, 1);
  for (const std::string name : {"addcmul", "addcdiv"}) {
    const std::string out = "aten::" + name, in_place = out + "_";
    all.push_back(op(out).on(any, any, divisor));
    all.push_back(op(out, "value").on(any, any, divisor).with("value", -0.5));
    all.push_back(op(out, "broadcast").on(input({2, 1}), input({3}), sized(divisor, {2, 1, 1})));
    all.push_back(op(out, "0-dim").on(input({}), input({}), sized(divisor, {})));
    all.push_back(op(out, "transposed").on(any.transposed(), any.transposed(), divisor.transposed()));
    OpCase with_integers = op(out, "with integers").on(any, any, integers({3}, 1, 4));
    with_integers.in_libtorch = name == "addcmul";  // addcdiv wants to write integers there, and cannot
    all.push_back(with_integers);
    all.push_back(op(in_place).on(any, any, divisor));
    all.push_back(op(in_place, "value").on(any, any, divisor).with("value", 3));
    all.push_back(op(in_place, "broadcast").on(any, input({3}), sized(divisor, {2, 1})));
    all.push_back(op(in_place, "would grow self").on(input({3}), any, divisor).throws());
  }
  all.push_back(
      op("aten::addcmul", "integers").on(integers({3}, -4, 4), integers({3}, -4, 4), integers({3}, 1, 4)));
  all.push_back(op("aten::addcdiv", "integers")
                    .on(integers({3}, -4, 4), integers({3}, -4, 4), integers({3}, 1, 4))
                    .throws());
  for (const std::string name : {"lerp", "lerp_"}) {
    const std::string scalar = "aten::" + name + ".Scalar", tensor = "aten::" + name + ".Tensor";
    all.push_back(op(scalar, "near self").on(any, any, 0.25));
    all.push_back(op(scalar, "near end").on(any, any, 0.75));
    all.push_back(op(tensor).on(any, any, weight));
    all.push_back(op(tensor, "broadcast").on(any, input({3}), sized(weight, {2, 1})));
    all.push_back(op(scalar, "integers").on(integers({3}, -4, 4), integers({3}, -4, 4), 0.5).throws());
    all.push_back(op(tensor, "dtypes differ").on(any, integers({3}, -4, 4), weight).throws());
  }
  return all;
}

}  // namespace gb::tests
