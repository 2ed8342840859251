// cumsum: along one dimension, each element becomes the sum of itself and those before it.
//
//   cumsum([1, 2, 3], 0) = [1, 3, 6]
//
// Integers and bools give int64; dtype, where given, converts the input first. A new contiguous tensor. Names
// follow ATen/native/ReduceOps.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor cumsum(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = {});

inline const auto& cumsum_op() {
  return operator_of<"aten::cumsum", Tensor(const Tensor&, int64_t, std::optional<ScalarType>)>();
}

}  // namespace gb
