// The calls of t, transpose, unsqueeze and squeeze that the generic tests make.
#pragma once

#include "tests/op_case.h"

namespace gb::tests {

inline std::vector<OpCase> t_cases() {
  return {
      op("aten::t").on(input({2, 3})),
      op("aten::t", "1-d").on(input({3})),
      op("aten::t", "0-d").on(input({})),
      op("aten::t", "3-d").on(input({1, 2, 3})).throws(),
      op("aten::transpose.int").on(input({2, 3, 4}), 0, -1),
      op("aten::transpose.int", "no such dimension").on(input({2, 3}), 0, 2).throws(),
      op("aten::unsqueeze").on(input({2, 3}), -1),
      op("aten::unsqueeze", "0-d").on(input({}), 0),
      op("aten::unsqueeze", "no such dimension").on(input({2}), 2).throws(),
      op("aten::squeeze").on(input({1, 2, 1, 3, 1}).transposed()),
      op("aten::squeeze", "0-d").on(input({})),
      op("aten::squeeze.dims").on(input({1, 2, 1, 1}), ints({-1, 0, 1})),
      op("aten::squeeze.dims", "none").on(input({1, 2}), ints({})),
      op("aten::squeeze.dims", "twice").on(input({1, 2}), ints({0, -2})).throws(),
      op("aten::squeeze.dim").on(input({2, 1, 3}), 1),
      op("aten::squeeze.dim", "size is not 1").on(input({2, 3}), 0),
      op("aten::squeeze.dim", "no such dimension").on(input({2}), -2).throws(),
      op("aten::t_").on(input({2, 3})),
      op("aten::t_", "1-d").on(input({3})),
      op("aten::t_", "3-d").on(input({1, 2, 3})).throws(),
      op("aten::transpose_").on(input({2, 3, 4}).transposed(), 0, -1),
      op("aten::transpose_", "the same twice").on(input({2, 3}), 1, -1),
      op("aten::transpose_", "no such dimension").on(input({2, 3}), 0, 2).throws(),
      op("aten::unsqueeze_").on(input({2, 3}).stepped(), -1),
      op("aten::unsqueeze_", "no such dimension").on(input({2}), 2).throws(),
      op("aten::squeeze_").on(input({1, 2, 1, 3, 1}).transposed()),
      op("aten::squeeze_", "0-d").on(input({})),
      op("aten::squeeze_.dim").on(input({2, 1, 3}), 1),
      op("aten::squeeze_.dim", "size is not 1").on(input({2, 3}), 0),
      op("aten::squeeze_.dim", "no such dimension").on(input({2}), -2).throws(),
      op("aten::squeeze_.dims").on(input({1, 2, 1, 1}), ints({-1, 0, 1})),
      op("aten::squeeze_.dims", "twice").on(input({1, 2}), ints({0, -2})).throws(),
  };
}

}  // namespace gb::tests
