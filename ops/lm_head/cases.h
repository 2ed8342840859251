// The calls of the LM head's operators that the generic tests make.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> linear_softmax_cases() {
  const TensorSpec rows = input({3, 4}), weight = input({5, 4}), bias = input({5});
  const IValue all(std::vector<bool>{true, true, true});
  return {
      op("glassbox::linear_softmax").on(rows, weight, bias).also_half().not_in_libtorch(),
      op("glassbox::linear_softmax", "no bias").on(rows, weight).not_in_libtorch(),
      op("glassbox::linear_softmax", "three dimensions").on(input({2, 3, 4}), weight, bias).not_in_libtorch(),
      op("glassbox::linear_softmax", "one dimension").on(input({4}), weight, bias).not_in_libtorch(),
      op("glassbox::linear_softmax", "strided")
          .on(input({3, 4}).transposed(), input({5, 4}).transposed(), input({5}).stepped())
          .not_in_libtorch(),
      op("glassbox::linear_softmax", "no rows").on(input({0, 4}), weight, bias).not_in_libtorch(),
      op("glassbox::linear_softmax", "nothing to multiply").on(input({3, 0}), input({5, 0}), bias).not_in_libtorch(),
      op("glassbox::linear_softmax", "grammar head")
          .on(input({2, 64}), input({600, 64}), input({600}))
          .not_differentiable()
          .not_in_libtorch(),
      op("glassbox::linear_softmax", "shapes do not fit").on(input({3, 7}), weight, bias).throws().not_in_libtorch(),
      op("glassbox::linear_softmax", "bias of another size").on(rows, weight, input({4})).throws().not_in_libtorch(),
      op("glassbox::linear_softmax", "integers")
          .on(integers({3, 4}, -3, 3), integers({5, 4}, -3, 3))
          .throws()
          .not_in_libtorch(),
      op("glassbox::_linear_softmax_backward")
          .on(input({3, 5}), input({3, 5}).between(0, 1), rows, weight, all)
          .not_differentiable()
          .not_in_libtorch(),
      op("glassbox::_linear_softmax_backward", "gradient of other sizes")
          .on(input({3, 4}), input({3, 5}), rows, weight, all)
          .throws()
          .not_in_libtorch(),
  };
}

inline std::vector<OpCase> linear_cross_entropy_cases() {
  const TensorSpec rows = input({3, 4}), weight = input({5, 4}), bias = input({5}), targets = integers({3}, 0, 4);
  const IValue all(std::vector<bool>{true, true, true});
  return {
      op("glassbox::linear_cross_entropy").on(rows, weight, targets, bias).also_half().not_in_libtorch(),
      op("glassbox::linear_cross_entropy", "no bias").on(rows, weight, targets).not_in_libtorch(),
      op("glassbox::linear_cross_entropy", "some ignored")
          .on(rows, weight, integers({3}, 0, 1), bias, 1)
          .not_in_libtorch(),
      op("glassbox::linear_cross_entropy", "strided")
          .on(rows.transposed(), weight.transposed(), targets.stepped(), bias.stepped())
          .not_in_libtorch(),
      op("glassbox::linear_cross_entropy", "no such class")
          .on(rows, weight, integers({3}, 7, 7), bias)
          .throws()
          .without_meta()
          .not_in_libtorch(),
      op("glassbox::linear_cross_entropy", "too few targets")
          .on(rows, weight, integers({2}, 0, 4), bias)
          .throws()
          .not_in_libtorch(),
      op("glassbox::linear_cross_entropy", "floating targets")
          .on(rows, weight, input({3}).constant(), bias)
          .throws()
          .not_in_libtorch(),
      op("glassbox::_linear_cross_entropy").on(rows, weight, targets, bias, -100).not_in_libtorch(),
      op("glassbox::_linear_cross_entropy_backward")
          .on(input({}), rows, weight, targets, bias, -100, input({3}).between(3, 4), input({}).between(2, 3), all)
          .not_differentiable()
          .not_in_libtorch(),
  };
}

inline std::vector<OpCase> lm_head_cases() { return joined({linear_softmax_cases(), linear_cross_entropy_cases()}); }

}  // namespace gb::tests
