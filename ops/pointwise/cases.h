// Calls of where, masked_fill, maximum, minimum and the clamps as data.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> pointwise_cases() {
  const TensorSpec any = input({}), low = any.between(-2, -0.5), high = any.between(0.5, 2);
  const auto mask = [](std::vector<int64_t> sizes) { return integers(std::move(sizes), 0, 1, kBool); };
  std::vector<OpCase> all = joined({
      broadcasts("aten::maximum"),
      broadcasts("aten::minimum"),
      layouts("aten::clamp", any, -1, 1),
      in_place_layouts("aten::clamp_", any, -1, 1),
      layouts("aten::clamp.Tensor", any, sized(low, {}), sized(high, {})),
      in_place_layouts("aten::clamp_.Tensor", any, sized(low, {}), sized(high, {})),
      layouts("aten::masked_fill.Scalar", any, mask({}), 1.5),
      in_place_layouts("aten::masked_fill_.Scalar", any, mask({}), 1.5),
      layouts("aten::masked_fill.Tensor", any, mask({}), any),
      in_place_layouts("aten::masked_fill_.Tensor", any, mask({}), any),
  });
  for (const std::string name : {"clamp_min", "clamp_max"}) {
    for (OpCase& one :
         joined({layouts("aten::" + name, any, 0.5), in_place_layouts("aten::" + name + "_", any, -0.5),
                 layouts("aten::" + name + ".Tensor", any, any),
                 in_place_layouts("aten::" + name + "_.Tensor", any, any)}))
      all.push_back(std::move(one));
    all.push_back(op("aten::" + name, "integers, floating bound").on(integers({2, 3}, -4, 4), 1.5));
    all.push_back(op("aten::" + name + ".Tensor", "broadcast").on(input({2, 1, 3}), input({4, 1})));
    all.push_back(
        op("aten::" + name + "_", "integers, floating bound").on(integers({3}, -4, 4), 1.5).throws());
  }
  for (OpCase& one : std::vector<OpCase>{
           op("aten::where.self").on(mask({2, 3}), input({2, 3}), input({2, 3})).also_half(),
           op("aten::where.self", "0-dim").on(mask({}), input({}), input({})),
           op("aten::where.self", "empty").on(mask({0, 3}), input({1, 3}), input({0, 1})),
           op("aten::where.self", "broadcast").on(mask({4, 1, 1}), input({2, 1}), input({3})),
           op("aten::where.self", "transposed")
               .on(mask({3, 4}), input({3, 4}).transposed(), input({3, 4}).transposed()),
           op("aten::where.self", "stepped and expanded")
               .on(mask({3, 4}).stepped(), input({3, 4}).stepped(), input({3, 4}).expanded()),
           op("aten::where.self", "wide").on(mask({7, 601}), input({7, 601}), input({7, 601})),
           op("aten::where.self", "one row of conditions")
               .on(mask({1, 601}), input({7, 601}), input({}))
               .loose(20),
           op("aten::where.self", "with integers").on(mask({2, 3}), input({2, 3}), integers({3}, -4, 4)),
           op("aten::where.self", "integers")
               .on(mask({2, 3}), integers({2, 3}, -4, 4), integers({2, 3}, 5, 9, kInt)),
           op("aten::where.self", "bools").on(mask({2, 3}), mask({2, 3}), mask({3})),
           op("aten::where.self", "condition is not bool")
               .on(integers({2}, 0, 1, kInt), input({2}), input({2}))
               .throws(),
           op("aten::where.self", "shapes do not broadcast").on(mask({3}), input({2}), input({2})).throws(),
           op("aten::where.ScalarSelf").on(mask({2, 3}), 1.5, input({2, 3})),
           op("aten::where.ScalarOther").on(mask({2, 3}), input({2, 3}), 0),
           op("aten::where.ScalarOther", "integers").on(mask({2, 3}), integers({2, 3}, -4, 4), 2.5),
           op("aten::where.Scalar").on(mask({2, 3}), 1.5, 2),
           op("aten::where.Scalar", "integers").on(mask({2, 3}), 1, 2),
           op("aten::masked_fill.Scalar", "mask of a row").on(input({2, 3}), mask({3}), -6e4).also_half(),
           op("aten::masked_fill.Scalar", "too much for the dtype")
               .on(input({2, 3}).as(kHalf), mask({3}), -1e9)
               .throws(),
           op("aten::masked_fill_.Scalar", "too much for the dtype")
               .on(integers({2, 3}, -4, 4, kInt), mask({3}), 1e10)
               .throws(),
           op("aten::masked_fill.Scalar", "grows").on(input({3}), mask({2, 3}), 2),
           op("aten::masked_fill.Scalar", "integers").on(integers({2, 3}, -4, 4), mask({2, 3}), 7),
           op("aten::masked_fill.Scalar", "mask is not bool").on(input({3}), integers({3}, 0, 1), 2).throws(),
           op("aten::masked_fill.Scalar", "integers, floating value")
               .on(integers({3}, 0, 4), mask({3}), 2.5),
           op("aten::masked_fill_.Scalar", "integers, floating value").on(integers({3}, 0, 4), mask({3}), -2.5),
           op("aten::masked_fill.Tensor", "integers, floating value")
               .on(integers({3}, 0, 4), mask({3}), input({}).constant()),
           op("aten::masked_fill.Scalar", "bools, a number").on(mask({3}), mask({3}), 2.5),
           op("aten::masked_fill_.Scalar", "mask of a row").on(input({2, 3}), mask({3}), -1e9),
           op("aten::masked_fill_.Scalar", "would grow self").on(input({3}), mask({2, 3}), 1).throws(),
           op("aten::masked_fill.Tensor", "value of one dimension")
               .on(input({3}), mask({3}), input({1}))
               .throws(),
           op("aten::maximum", "bools").on(mask({5}), mask({5})),
           op("aten::minimum", "bools").on(mask({5}), mask({5})),
           op("aten::clamp", "at least").on(input({2, 3}), 0.5),
           op("aten::clamp", "at most").on(input({2, 3}), none(), 0.5),
           op("aten::clamp", "bounds cross").on(input({2, 3}), 1, -1),
           op("aten::clamp", "integers").on(integers({2, 3}, -4, 4), -1, 2),
           op("aten::clamp", "integers, a floating bound").on(integers({2, 3}, -4, 4), -1, 1.5),
           op("aten::clamp", "no bound").on(input({2})).throws(),
           op("aten::clamp_", "integers, a floating bound").on(integers({3}, -4, 4), -1, 1.5).throws(),
           op("aten::clamp.Tensor", "at least, broadcast").on(input({2, 3}), input({3})),
           op("aten::clamp.Tensor", "at most").on(input({2, 3}), none(), input({2, 1})),
           op("aten::clamp.Tensor", "bounds cross").on(input({2, 3}), input({2, 3}), input({2, 3})),
       })
    all.push_back(std::move(one));
  for (OpCase& one : all)  // LibTorch only warns that it will refuse this
    if (one.op.starts_with("aten::masked_fill_.") && one.label == "self overlaps itself") one.in_libtorch = false;
  return all;
}

}  // namespace gb::tests
