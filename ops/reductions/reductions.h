// sum, mean, amax over some or all dimensions, and sum_to_size.
//
//   x [2, 3, 4]    x.sum({0, -1}) -> [3]    x.sum({0, -1}, true) -> [1, 3, 1]    x.sum() -> []
//
// An empty list of dimensions (or none) means all. Integer and bool sums are int64. mean of integers is an
// Error unless a floating dtype is given. amax of nothing is an IndexError; the others give 0 and NaN. dtype,
// where given, converts the input first. Names follow ATen/native/ReduceOps.cpp.
#pragma once

#include "dispatcher/operator_handle.h"

namespace gb {

Tensor sum(const Tensor& self, std::optional<ScalarType> dtype = {});
Tensor sum(const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false,
           std::optional<ScalarType> dtype = {});
Tensor mean(const Tensor& self, std::optional<ScalarType> dtype = {});
Tensor mean(const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false,
            std::optional<ScalarType> dtype = {});
Tensor amax(const Tensor& self, IntArrayRef dim = {}, bool keepdim = false);
// Undoes a broadcast: sums self down to `size`, which must broadcast to self's sizes.
Tensor sum_to_size(const Tensor& self, IntArrayRef size);

using ReduceAllOp = TypedOperatorHandle<Tensor(const Tensor&, std::optional<ScalarType>)>;
using ReduceDimOp =
    TypedOperatorHandle<Tensor(const Tensor&, OptionalIntArrayRef, bool, std::optional<ScalarType>)>;
using AMaxOp = TypedOperatorHandle<Tensor(const Tensor&, IntArrayRef, bool)>;
using SumToSizeOp = TypedOperatorHandle<Tensor(const Tensor&, IntArrayRef)>;
const ReduceAllOp& sum_op();       // aten::sum
const ReduceDimOp& sum_dim_op();   // aten::sum.dim_IntList
const ReduceAllOp& mean_op();      // aten::mean
const ReduceDimOp& mean_dim_op();  // aten::mean.dim
const AMaxOp& amax_op();
const SumToSizeOp& sum_to_size_op();

}  // namespace gb
