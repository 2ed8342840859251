// Calls of scaled_dot_product_attention as data. LibTorch has another tape for it (attention.h): so cases_test.cc compares
// what is refused here with the other operators', and values and gradients in a test of their own.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> attention_cases() {
  const std::string name = "aten::scaled_dot_product_attention";
  const TensorSpec x = input({2, 3, 4, 5});
  std::vector<OpCase> all{
      op(name).on(x, x, x).also_half(),
      op(name, "causal").on(x, x, x).with("is_causal", true),
      op(name, "causal, more keys than queries")
          .on(input({4, 5}), input({6, 5}), input({6, 2}))
          .with("is_causal", true),
      op(name, "a floating mask").on(x, x, x, input({4, 4})),
      op(name, "a bool mask").on(input({2, 3}), input({6, 3}), input({6, 2}), integers({1, 6}, 0, 1, kBool)),
      op(name, "a mask that hides all").on(input({2, 3}), input({4, 3}), input({4, 2}), integers({2, 4}, 0, 0, kBool)),
      op(name, "scale").on(x, x, x).with("scale", 0.25),
      op(name, "a negative scale").on(x, x, x).with("scale", -0.25),
      op(name, "transposed").on(input({3, 4}).transposed(), input({2, 4}), input({2, 5}).transposed()),
      op(name, "no queries").on(input({2, 0, 3}), input({2, 4, 3}), input({2, 4, 3})),
      op(name, "a vector").on(input({3}), input({2, 3}), input({2, 3})).throws(),
      op(name, "two masks").on(x, x, x, input({4, 4})).with("is_causal", true).throws(),
      op(name, "dtypes differ").on(x, x, x.as(kInt)).throws(),
  };
  // LibTorch's C++ takes two masks, and says nothing.
  for (OpCase& one : all) one.in_libtorch = one.expects_error && one.label != "two masks";
  return all;
}

}  // namespace gb::tests
