// The calls of index_select and index_add that the generic tests make.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> index_select_cases() {
  std::vector<OpCase> cases = {
      op("aten::index_select").on(input({4, 3}), 0, integers({5}, 0, 3)).also_half(),
      op("aten::index_select", "last dimension").on(input({2, 3, 4}).transposed(), -1, integers({2}, 0, 3)),
      op("aten::index_select", "int32").on(input({4, 3}).stepped(), 1, integers({2}, 0, 2, kInt)),
      op("aten::index_select", "one index").on(input({4, 3}), 0, integers({}, 0, 3)),
      op("aten::index_select", "0-d").on(input({}), 0, integers({1}, 0, 0)),
      op("aten::index_select", "none").on(input({4, 3}), 0, integers({0}, 0, 0)),
      op("aten::index_select", "out of range")
          .on(input({4, 3}), 0, integers({2}, 4, 9))
          .throws()
          .without_meta(),
      op("aten::index_select", "matrix of indices").on(input({4, 3}), 0, integers({2, 2}, 0, 3)).throws(),
      op("aten::index_select", "index of floats").on(input({4, 3}), 0, input({2})).throws(),
      op("aten::index_select_backward").on(input({5, 3}), ints({4, 3}), 0, integers({5}, 0, 3)),
  };
  for (const std::string name : {"aten::index_add", "aten::index_add_"}) {
    cases.push_back(op(name).on(input({4, 3}), 0, integers({5}, 0, 3), input({5, 3})));
    cases.push_back(op(name, "alpha")
                        .on(input({2, 3}), 1, integers({2}, 0, 2), input({2, 2}).transposed())
                        .with("alpha", -2));
    cases.push_back(
        op(name, "transposed").on(input({4, 3}).transposed(), 0, integers({2}, 0, 3), input({2, 3})));
    cases.push_back(
        op(name, "integers").on(integers({4}, -9, 9), 0, integers({6}, 0, 3), integers({6}, -9, 9)));
    cases.push_back(op(name, "none").on(input({4, 3}), 0, integers({0}, 0, 0), input({0, 3})));
    cases.push_back(
        op(name, "too few indices").on(input({4, 3}), 0, integers({1}, 0, 3), input({2, 3})).throws());
    cases.push_back(
        op(name, "sizes differ").on(input({4, 3}), 0, integers({2}, 0, 3), input({2, 2})).throws());
    cases.push_back(
        op(name, "dtypes differ").on(input({4}), 0, integers({1}, 0, 3), integers({1}, 0, 3)).throws());
    cases.push_back(
        op(name, "out of range").on(input({4}), 0, integers({1}, 4, 4), input({1})).throws().without_meta());
  }
  return cases;
}

}  // namespace gb::tests
