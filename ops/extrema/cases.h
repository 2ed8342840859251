// The calls of max, min, argmax and argmin that the generic tests make. Values are random: no two are equal,
// but where integers and bools show which one counts.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

// Of max or min.
inline std::vector<OpCase> extremum_cases(const std::string& name) {
  const std::string dim = name + ".dim", other = name + ".other";
  return {
      op(name).on(input({2, 3})).also_half(),
      op(name, "0-d").on(input({})),
      op(name, "transposed").on(input({3, 4}).transposed()),
      op(name, "stepped").on(input({5, 2}).stepped()),
      op(name, "wide").on(input({7, 601})),
      op(name, "integers").on(integers({2, 3}, -9, 9, kInt)),
      op(name, "bools").on(integers({3}, 0, 1, kBool)),
      op(name, "no elements").on(input({0, 3})).throws(),
      op(dim).on(input({2, 3, 4}), 1).also_half(),
      op(dim, "keepdim").on(input({2, 3}), -1, true),
      op(dim, "0-d").on(input({}), 0),
      op(dim, "transposed").on(input({3, 4}).transposed(), 0),
      op(dim, "stepped").on(input({5, 2}).stepped(), 1),
      op(dim, "integers").on(integers({3, 5}, -2, 2), 1),
      op(dim, "bools").on(integers({3, 5}, 0, 1, kBool), 1),
      op(dim, "no elements elsewhere").on(input({0, 2}), 1),
      op(dim, "no elements").on(input({2, 0}), 1).throws(),
      op(dim, "no such dimension").on(input({2, 3}), 2).throws(),
      op(other).on(input({2, 1, 3}), input({4, 1})),
      op(other, "integers").on(integers({3}, -9, 9), input({3})),
  };
}

// Of argmax or argmin.
inline std::vector<OpCase> position_cases(const std::string& name) {
  return {
      op(name).on(input({2, 3})).also_half(),
      op(name, "transposed").on(input({3, 4}).transposed()),
      op(name, "keepdim").on(input({2, 3}), none(), true),
      op(name, "a dimension").on(input({2, 3, 4}), 1),
      op(name, "a dimension, keepdim").on(input({3, 4}).stepped(), -1, true),
      op(name, "0-d").on(input({})),
      op(name, "integers").on(integers({3, 5}, -2, 2), 1),
      op(name, "no elements elsewhere").on(input({0, 2}), 1),
      op(name, "no elements").on(input({0, 2})).throws(),
      op(name, "bools").on(integers({3}, 0, 1, kBool)).throws().without_meta(),
      op(name, "no such dimension").on(input({2, 3}), 2).throws(),
  };
}

inline std::vector<OpCase> extrema_cases() {
  // LibTorch's formula writes in place: other nodes, the same gradient.
  const std::string backward = "aten::value_selecting_reduction_backward";
  return joined({
      extremum_cases("aten::max"),
      extremum_cases("aten::min"),
      position_cases("aten::argmax"),
      position_cases("aten::argmin"),
      {
          op(backward).on(input({2}), 1, integers({2}, 0, 2), ints({2, 3}), false).not_differentiable(),
          op(backward, "keepdim")
              .on(input({2, 1}), 1, integers({2, 1}, 0, 2), ints({2, 3}), true)
              .not_differentiable(),
          op(backward, "0-d").on(input({}), 0, integers({}, 0, 0), ints({}), false).not_differentiable(),
      },
  });
}

}  // namespace gb::tests
