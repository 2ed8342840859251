// How two answers to one question differ, in words. Nothing is reported where the libraries agree.
#pragma once

#include <optional>
#include <string>

#include "tests/libtorch/answer.h"

namespace gb::tests {

struct Tolerance {
  double relative = 0, absolute = 0;
};
// What two correct implementations of a short sum may differ by.
Tolerance tolerance_for(ScalarType dtype, double factor = 1);

// The worst element where two tensors differ by more than the tolerance; NaN equals NaN, infinities must agree.
std::optional<std::string> value_difference(const Tensor& ours, const Tensor& theirs, Tolerance tolerance);
// Sizes, strides, offset or dtype. Strides of dimensions with one element, and of tensors without any, do not count.
std::optional<std::string> geometry_difference(const Tensor& ours, const Tensor& theirs);

struct CompareOptions {
  double tolerance_factor = 1;
  bool values = true;
};
std::optional<std::string> difference(const Answer& ours, const Answer& theirs, const CompareOptions& options = {});

}  // namespace gb::tests
