// permute, select, slice, narrow, diagonal, alias: views that reorder the dimensions, or show a part of one
// or two.
//
//   x of sizes {4, 3}, strides {3, 1}    slice(x, 0, 1, 4, 2): sizes {2, 3}, strides {6, 1}, offset 3
//                                        select(x, 1, -1):     sizes {4},    strides {3},    offset 2
//
// Negative indices count from the end. slice takes any start and end and keeps what lies inside; select
// (IndexError) and narrow refuse what does not. narrow is a slice of known length and has no node of its own.
// diagonal takes two dimensions away and puts their diagonal at the end; alias shows everything.
// select_backward, slice_backward and diagonal_backward are gradients: zeros, with the gradient written where
// the view looked. Names follow ATen/native/TensorShape.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor permute(const Tensor& self, IntArrayRef dims);
Tensor select(const Tensor& self, int64_t dim, int64_t index);
Tensor slice(const Tensor& self, int64_t dim = 0, std::optional<int64_t> start = {},
             std::optional<int64_t> end = {}, int64_t step = 1);
Tensor narrow(const Tensor& self, int64_t dim, int64_t start, int64_t length);
Tensor select_backward(const Tensor& grad_output, IntArrayRef input_sizes, int64_t dim, int64_t index);
Tensor slice_backward(const Tensor& grad_output, IntArrayRef input_sizes, int64_t dim, int64_t start,
                      int64_t end, int64_t step);
Tensor diagonal(const Tensor& self, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1);
Tensor diagonal_backward(const Tensor& grad_output, IntArrayRef input_sizes, int64_t offset, int64_t dim1,
                         int64_t dim2);
Tensor alias(const Tensor& self);

inline const auto& permute_op() { return operator_of<"aten::permute", Tensor(const Tensor&, IntArrayRef)>(); }
inline const auto& select_op() {
  return operator_of<"aten::select.int", Tensor(const Tensor&, int64_t, int64_t)>();
}
inline const auto& slice_op() {
  using Ends = std::optional<int64_t>;
  return operator_of<"aten::slice.Tensor", Tensor(const Tensor&, int64_t, Ends, Ends, int64_t)>();
}
inline const auto& narrow_op() {
  return operator_of<"aten::narrow", Tensor(const Tensor&, int64_t, int64_t, int64_t)>();
}
inline const auto& select_backward_op() {
  return operator_of<"aten::select_backward", Tensor(const Tensor&, IntArrayRef, int64_t, int64_t)>();
}
inline const auto& slice_backward_op() {
  return operator_of<"aten::slice_backward",
                     Tensor(const Tensor&, IntArrayRef, int64_t, int64_t, int64_t, int64_t)>();
}
inline const auto& diagonal_op() {
  return operator_of<"aten::diagonal", Tensor(const Tensor&, int64_t, int64_t, int64_t)>();
}
inline const auto& diagonal_backward_op() {
  return operator_of<"aten::diagonal_backward",
                     Tensor(const Tensor&, IntArrayRef, int64_t, int64_t, int64_t)>();
}
inline const auto& alias_op() { return operator_of<"aten::alias", Tensor(const Tensor&)>(); }

}  // namespace gb
