// The calls of flip and repeat that the generic tests make.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> rearrange_cases() {
  return joined({
      layouts("aten::flip", input({}), ints({})),
      {
          op("aten::flip", "one").on(input({2, 3}), ints({-1})).also_half(),
          op("aten::flip", "two, transposed").on(input({2, 3, 4}).transposed(), ints({0, 2})),
          op("aten::flip", "stepped").on(input({3, 2}).stepped(), ints({0, 1})),
          op("aten::flip", "bools").on(integers({5}, 0, 1, kBool), ints({0})),
          op("aten::flip", "twice").on(input({2, 3}), ints({1, -1})).throws(),
          op("aten::flip", "no such dimension").on(input({2, 3}), ints({2})).throws(),
          op("aten::repeat").on(input({2, 3}), ints({2, 1, 3})).also_half(),
          op("aten::repeat", "transposed").on(input({2, 3}).transposed(), ints({2, 2})),
          op("aten::repeat", "0-d").on(input({}), ints({3})),
          op("aten::repeat", "unchanged").on(input({2, 3}), ints({1, 1})),
          op("aten::repeat", "none").on(input({2, 3}), ints({2, 0})),
          op("aten::repeat", "too few").on(input({2, 3}), ints({2})).throws(),
          op("aten::repeat", "negative").on(input({2}), ints({-1})).throws(),
      },
  });
}

}  // namespace gb::tests
