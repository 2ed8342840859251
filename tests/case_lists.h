// The lists of calls that operators of one kind share, so that each operator names only what is its own.
//
//   std::vector<OpCase> tanh_cases() { return joined({layouts("aten::tanh"),
//   in_place_layouts("aten::tanh_")}); } std::vector<OpCase> log_cases() { return layouts("aten::log",
//   input({}).between(0.5, 3)); } std::vector<OpCase> div_cases() { return broadcasts("aten::div.Tensor",
//   input({}), input({}).between(0.5, 2)); }
//
// A spec says of which values and dtype the tensors are; the list gives the sizes and strides.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "tests/op_case.h"

namespace gb::tests {

inline TensorSpec sized(TensorSpec spec, std::vector<int64_t> sizes) {
  spec.sizes = std::move(sizes);
  return spec;
}

inline std::vector<OpCase> joined(std::initializer_list<std::vector<OpCase>> lists) {
  std::vector<OpCase> all;
  for (const std::vector<OpCase>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

// One call of f(self, further...) for each layout of self.
template <class... Further>
std::vector<OpCase> layouts(const std::string& name, const TensorSpec& like = input({}),
                            const Further&... further) {
  return {
      op(name).on(sized(like, {2, 3}), further...).also_half(),
      op(name, "0-dim").on(sized(like, {}), further...),
      op(name, "empty").on(sized(like, {0, 3}), further...),
      op(name, "transposed").on(sized(like, {3, 4}).transposed(), further...),
      op(name, "stepped").on(sized(like, {5, 2}).stepped(), further...),
      op(name, "expanded").on(sized(like, {3, 4}).expanded(), further...),
      op(name, "wide").on(sized(like, {7, 601}), further...),
  };
}

// The same for f_(self, further...), which must not overlap itself.
template <class... Further>
std::vector<OpCase> in_place_layouts(const std::string& name, const TensorSpec& like = input({}),
                                     const Further&... further) {
  return {
      op(name).on(sized(like, {2, 3}), further...).also_half(),
      op(name, "0-dim").on(sized(like, {}), further...),
      op(name, "empty").on(sized(like, {0, 3}), further...),
      op(name, "transposed").on(sized(like, {3, 4}).transposed(), further...),
      op(name, "stepped").on(sized(like, {5, 2}).stepped(), further...),
      op(name, "self overlaps itself").on(sized(like, {3, 2}).expanded(), further...).throws().without_meta(),
  };
}

// f(self, other) with broadcasting and promotion.
inline std::vector<OpCase> broadcasts(const std::string& name, const TensorSpec& a = input({}),
                                      const TensorSpec& b = input({})) {
  return {
      op(name).on(sized(a, {2, 3}), sized(b, {2, 3})).also_half(),
      op(name, "one element").on(sized(a, {1}), sized(b, {1})),
      op(name, "0-dim").on(sized(a, {}), sized(b, {})),
      op(name, "broadcast").on(sized(a, {2, 1, 3}), sized(b, {4, 1})),
      op(name, "transposed").on(sized(a, {3, 4}).transposed(), sized(b, {3, 4}).transposed()),
      op(name, "transposed and row-major").on(sized(a, {3, 4}).transposed(), sized(b, {3, 4})),
      op(name, "stepped and expanded").on(sized(a, {3, 4}).stepped(), sized(b, {3, 4}).expanded()),
      op(name, "empty").on(sized(a, {2, 0}), sized(b, {1})),
      op(name, "wide").on(sized(a, {7, 601}), sized(b, {7, 601})),
      op(name, "integers").on(integers({2, 3}, -9, 9), integers({2, 3}, 1, 9)),
      op(name, "int32 and int64").on(integers({2, 3}, -9, 9, kInt), integers({2, 3}, 1, 9)),
      op(name, "with integers").on(sized(a, {2, 3}), integers({2, 3}, 1, 9)),
      op(name, "0-dim float64").on(sized(a, {2, 3}), input({}).as(kDouble).between(0.5, 2)),
      op(name, "shapes do not broadcast").on(sized(a, {2, 3}), sized(b, {2})).throws(),
  };
}

}  // namespace gb::tests
