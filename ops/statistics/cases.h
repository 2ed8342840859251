// The calls of var, std and logsumexp that the generic tests make.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

// Of var or std.
inline std::vector<OpCase> spread_cases(const std::string& name) {
  const std::string dim = name + ".dim", correction = name + ".correction";
  return {
      op(name).on(input({2, 3})),
      op(name, "biased").on(input({2, 3}), false),
      op(name, "integers").on(integers({3}, -9, 9)).throws(),
      op(dim).on(input({2, 3, 4}), ints({0, 2})),
      op(dim, "biased, keepdim").on(input({2, 3}), ints({-1}), false, true),
      op(dim, "no list").on(input({2, 3}), none()),
      op(correction).on(input({2, 3})).also_half(),
      op(correction, "one dimension").on(input({3, 4}), ints({1})),
      op(correction, "transposed, keepdim").on(input({3, 4}).transposed(), ints({0})).with("keepdim", true),
      op(correction, "stepped").on(input({5, 3}).stepped(), ints({0})),
      op(correction, "expanded").on(input({3, 4}).expanded(), ints({1})),
      op(correction, "of two").on(input({2, 5}), ints({1})).with("correction", Scalar(2)),
      op(correction, "of none").on(input({2, 5}), ints({1})).with("correction", Scalar(0)),
      op(correction, "of a half").on(input({2, 5})).with("correction", Scalar(0.5)),
      op(correction, "no elements elsewhere").on(input({0, 3}), ints({1})),
      op(correction, "a dimension twice").on(input({2, 3}), ints({0, -2})).throws(),
  };
}

inline std::vector<OpCase> statistics_cases() {
  return joined({
      spread_cases("aten::var"),
      spread_cases("aten::std"),
      {
          op("aten::logsumexp").on(input({2, 3}), ints({1})),
          op("aten::logsumexp", "keepdim").on(input({2, 3, 4}), ints({0, -1}), true),
          op("aten::logsumexp", "all").on(input({2, 3}), ints({})).not_in_libtorch(),  // refused there
          op("aten::logsumexp", "0-d").on(input({}), ints({0})),
          op("aten::logsumexp", "transposed").on(input({3, 4}).transposed(), ints({0})),
          op("aten::logsumexp", "large").on(input({2, 3}).between(900, 1000), ints({1})),
          op("aten::logsumexp", "integers").on(integers({2, 3}, -9, 9), ints({1})),
          op("aten::logsumexp", "no elements").on(input({2, 0}), ints({1})),
          op("aten::logsumexp", "no such dimension").on(input({2, 3}), ints({2})).throws(),
      },
  });
}

}  // namespace gb::tests
