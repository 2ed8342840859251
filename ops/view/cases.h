// The calls of view, reshape, _unsafe_view and flatten that the generic tests make.
#pragma once

#include "tests/op_case.h"

namespace gb::tests {

inline std::vector<OpCase> view_cases() {
  return {
      op("aten::view").on(input({2, 6}), ints({3, -1})),
      op("aten::view", "splits a strided dimension").on(input({6, 4}).transposed(), ints({2, 3, 4})),
      op("aten::view", "expanded").on(input({4, 3}).expanded(), ints({2, 2, 3})),
      op("aten::view", "no elements").on(input({0, 3}), ints({5, 0})),
      op("aten::view", "0-d").on(input({}), ints({1, 1})),
      op("aten::view", "joins across a gap").on(input({6, 4}).transposed(), ints({24})).throws(),
      op("aten::view", "wrong number of elements").on(input({8}), ints({6})).throws(),
      op("aten::view", "two unknown sizes").on(input({8}), ints({-1, -1})).throws(),
      op("aten::view", "ambiguous").on(input({0}), ints({0, -1})).throws(),
      op("aten::reshape").on(input({2, 6}), ints({4, 3})),
      op("aten::reshape", "copies").on(input({6, 4}).transposed(), ints({24})),
      op("aten::reshape", "wrong number of elements").on(input({8}), ints({3, -1})).throws(),
      op("aten::reshape", "views what is not contiguous").on(input({6, 4}).transposed(), ints({2, 3, 4})),
      op("aten::_reshape_alias").on(input({2, 6}), ints({4, 3}), ints({3, 1})),
      op("aten::_unsafe_view").on(input({2, 6}), ints({12})),
      op("aten::flatten.using_ints").on(input({2, 3, 4}), 1, 2),
      op("aten::flatten.using_ints", "0-d").on(input({})),
      op("aten::flatten.using_ints", "start after end").on(input({2, 3}), 1, 0).throws(),
  };
}

}  // namespace gb::tests
