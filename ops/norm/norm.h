// norm and linalg_vector_norm: (sum |x|^p)^(1/p) over some or all dimensions.
//
//   p 2 the length, 1 the sum of |x|, 0 how many x are not 0, infinity the largest |x|, -infinity the
//   smallest
//
// Floating dtypes only. `dtype`, where given, converts the input first; it may not be narrower. An empty list
// of dimensions (or none) means all; no p is 2. norm is linalg_vector_norm in a node of its own. 16-bit
// dtypes compute in float. Gradient of p 2 at 0: 0. Names follow ATen/native/{ReduceOps,LinearAlgebra}.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor norm(const Tensor& self, const Scalar& p = 2);
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, ScalarType dtype);
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim = false);
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim,
            ScalarType dtype);
Tensor linalg_vector_norm(const Tensor& self, const Scalar& ord = 2, OptionalIntArrayRef dim = {},
                          bool keepdim = false, std::optional<ScalarType> dtype = {});

using OptionalScalar = const std::optional<Scalar>&;
inline const auto& norm_op() {
  return operator_of<"aten::norm.Scalar", Tensor(const Tensor&, const Scalar&)>();
}
inline const auto& norm_dtype_op() {
  return operator_of<"aten::norm.ScalarOpt_dtype", Tensor(const Tensor&, OptionalScalar, ScalarType)>();
}
inline const auto& norm_dim_op() {
  return operator_of<"aten::norm.ScalarOpt_dim", Tensor(const Tensor&, OptionalScalar, IntArrayRef, bool)>();
}
inline const auto& norm_dim_dtype_op() {
  return operator_of<"aten::norm.ScalarOpt_dim_dtype",
                     Tensor(const Tensor&, OptionalScalar, IntArrayRef, bool, ScalarType)>();
}
inline const auto& linalg_vector_norm_op() {
  return operator_of<"aten::linalg_vector_norm", Tensor(const Tensor&, const Scalar&, OptionalIntArrayRef,
                                                        bool, std::optional<ScalarType>)>();
}

}  // namespace gb
