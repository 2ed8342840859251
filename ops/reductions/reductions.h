// sum, mean, amax, amin, any and all over some or all dimensions, prod over one or all, and sum_to_size.
//
//   x [2, 3, 4]    x.sum({0, -1}) -> [3]    x.sum({0, -1}, true) -> [1, 3, 1]    x.sum() -> []
//
// An empty list of dimensions (or none) means all; of any and all an empty one means none. Integer and bool sums and
// products are int64. mean of integers is an Error unless a floating dtype is given. amax and amin of nothing are an
// IndexError; the others give 0, NaN, false (any), true (all) and 1 (prod). any and all give a bool: is one element not 0,
// is none; NaN is not 0. dtype, where given, converts the input first. Names follow ATen/native/ReduceOps.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor sum(const Tensor& self, std::optional<ScalarType> dtype = {});
Tensor sum(const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false,
           std::optional<ScalarType> dtype = {});
Tensor mean(const Tensor& self, std::optional<ScalarType> dtype = {});
Tensor mean(const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false,
            std::optional<ScalarType> dtype = {});
Tensor amax(const Tensor& self, IntArrayRef dim = {}, bool keepdim = false);
Tensor amin(const Tensor& self, IntArrayRef dim = {}, bool keepdim = false);
Tensor any(const Tensor& self);
Tensor any(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor any(const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false);
Tensor all(const Tensor& self);
Tensor all(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor all(const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false);
Tensor prod(const Tensor& self, std::optional<ScalarType> dtype = {});
Tensor prod(const Tensor& self, int64_t dim, bool keepdim = false, std::optional<ScalarType> dtype = {});
// Undoes a broadcast: sums self down to `size`, which must broadcast to self's sizes.
Tensor sum_to_size(const Tensor& self, IntArrayRef size);

using ReduceAllOp = Tensor(const Tensor&, std::optional<ScalarType>);
using ReduceDimOp = Tensor(const Tensor&, OptionalIntArrayRef, bool, std::optional<ScalarType>);
using ExtremumOp = Tensor(const Tensor&, IntArrayRef, bool);
using TruthDimOp = Tensor(const Tensor&, int64_t, bool);
using TruthDimsOp = Tensor(const Tensor&, OptionalIntArrayRef, bool);
using ProdDimOp = Tensor(const Tensor&, int64_t, bool, std::optional<ScalarType>);
inline const auto& sum_op() { return operator_of<"aten::sum", ReduceAllOp>(); }
inline const auto& sum_dim_op() { return operator_of<"aten::sum.dim_IntList", ReduceDimOp>(); }
inline const auto& mean_op() { return operator_of<"aten::mean", ReduceAllOp>(); }
inline const auto& mean_dim_op() { return operator_of<"aten::mean.dim", ReduceDimOp>(); }
inline const auto& amax_op() { return operator_of<"aten::amax", ExtremumOp>(); }
inline const auto& amin_op() { return operator_of<"aten::amin", ExtremumOp>(); }
inline const auto& any_op() { return operator_of<"aten::any", Tensor(const Tensor&)>(); }
inline const auto& any_dim_op() { return operator_of<"aten::any.dim", TruthDimOp>(); }
inline const auto& any_dims_op() { return operator_of<"aten::any.dims", TruthDimsOp>(); }
inline const auto& all_op() { return operator_of<"aten::all", Tensor(const Tensor&)>(); }
inline const auto& all_dim_op() { return operator_of<"aten::all.dim", TruthDimOp>(); }
inline const auto& all_dims_op() { return operator_of<"aten::all.dims", TruthDimsOp>(); }
inline const auto& prod_op() { return operator_of<"aten::prod", ReduceAllOp>(); }
inline const auto& prod_dim_op() { return operator_of<"aten::prod.dim_int", ProdDimOp>(); }
inline const auto& sum_to_size_op() {
  return operator_of<"aten::sum_to_size", Tensor(const Tensor&, IntArrayRef)>();
}

}  // namespace gb
