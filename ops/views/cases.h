// The calls of permute, select, slice, narrow, diagonal and alias that the generic tests make.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> views_cases() {
  return {
      op("aten::permute").on(input({2, 3, 4}), ints({2, 0, -2})),
      op("aten::permute", "0-d").on(input({}), ints({})),
      op("aten::permute", "expanded").on(input({3, 2}).expanded(), ints({1, 0})),
      op("aten::permute", "too few").on(input({2, 3}), ints({0})).throws(),
      op("aten::permute", "twice").on(input({2, 3}), ints({1, -1})).throws(),
      op("aten::select.int").on(input({2, 3, 4}), 1, 2),
      op("aten::select.int", "from the end").on(input({4, 3}).transposed(), -2, -1),
      op("aten::select.int", "out of range").on(input({2, 3}), 1, 3).throws(),
      op("aten::select.int", "nothing there").on(input({0, 3}), 0, 0).throws(),
      op("aten::select.int", "0-d").on(input({}), 0, 0).throws(),
      op("aten::slice.Tensor").on(input({5, 3}), 0, 1, 4),
      op("aten::slice.Tensor", "all").on(input({5, 3})),
      op("aten::slice.Tensor", "steps").on(input({2, 7}).stepped(), -1, 1, none(), 3),
      op("aten::slice.Tensor", "from the end").on(input({5, 3}), 0, -3, -1),
      op("aten::slice.Tensor", "beyond the ends").on(input({5, 3}), 0, -9, 99),
      op("aten::slice.Tensor", "empty").on(input({5, 3}), 0, 4, 2),
      op("aten::slice.Tensor", "step of 0").on(input({5}), 0, none(), none(), 0).throws(),
      op("aten::slice.Tensor", "0-d").on(input({})).throws(),
      op("aten::narrow").on(input({5, 3}), 0, 1, 3),
      op("aten::narrow", "from the end").on(input({5, 3}), 0, -2, 2),
      op("aten::narrow", "nothing").on(input({5, 3}), 1, 3, 0),
      op("aten::narrow", "too long").on(input({5, 3}), 0, 3, 3).throws(),
      op("aten::narrow", "negative length").on(input({5, 3}), 0, 3, -1).throws(),
      op("aten::narrow", "start out of range").on(input({5, 3}), 0, 6, 0).throws(),
      op("aten::select_backward").on(input({2, 4}), ints({2, 3, 4}), 1, -1),
      op("aten::slice_backward").on(input({2, 3}), ints({5, 3}), 0, 1, 4, 2),
      op("aten::diagonal").on(input({3, 4})),
      op("aten::diagonal", "above, of batches").on(input({3, 2, 4}).transposed(), 1, 0, -1),
      op("aten::diagonal", "below").on(input({4, 3}).stepped(), -2),
      op("aten::diagonal", "outside").on(input({2, 3}), 5),
      op("aten::diagonal", "one dimension twice").on(input({2, 3}), 0, 1, -1).throws(),
      op("aten::diagonal_backward").on(input({2}), ints({3, 4}), -1, 0, 1),
      op("aten::alias").on(input({3, 2}).stepped()),
  };
}

}  // namespace gb::tests
