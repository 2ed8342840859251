// softmax over one dimension, and its logarithm.
//
//   softmax        y = exp(x - max x) / sum exp(x - max x)        backward  y * (grad - sum(grad * y))
//   log_softmax    y = x - max x - log(sum exp(x - max x))        backward  grad - exp(y) * sum(grad)
//
//   softmax.int              composite: converts to `dtype` first where one is given, then _softmax
//   _softmax                 the operator with kernels and a gradient; a new contiguous tensor of self's sizes
//   _softmax_backward_data   the gradient; has a gradient itself, for double backward
//   _safe_softmax            softmax, with a row of -inf only as zeros: attention's, where a query may look at nothing
//
// Floating dtypes; integers are a NotImplementedError (give dtype). A row with NaN or +inf, or of -inf only,
// is NaN. dim may count from the end; of a 0-dim tensor it may be 0 or -1. Names follow
// ATen/native/SoftMax.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = {});
Tensor log_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = {});
// half_to_float: a Half input gives a Float result in one go; on CUDA only.
Tensor _softmax(const Tensor& self, int64_t dim, bool half_to_float);
Tensor _log_softmax(const Tensor& self, int64_t dim, bool half_to_float);
Tensor _safe_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = {});
// output: what _softmax returned. input_dtype: of _softmax's input, the dtype of the result.
Tensor _softmax_backward_data(const Tensor& grad_output, const Tensor& output, int64_t dim,
                              ScalarType input_dtype);
Tensor _log_softmax_backward_data(const Tensor& grad_output, const Tensor& output, int64_t dim,
                                  ScalarType input_dtype);

using SoftmaxOp = Tensor(const Tensor&, int64_t, std::optional<ScalarType>);
using SoftmaxForwardOp = Tensor(const Tensor&, int64_t, bool);
using SoftmaxBackwardOp = Tensor(const Tensor&, const Tensor&, int64_t, ScalarType);
inline const auto& softmax_op() { return operator_of<"aten::softmax.int", SoftmaxOp>(); }
inline const auto& _softmax_op() { return operator_of<"aten::_softmax", SoftmaxForwardOp>(); }
inline const auto& _softmax_backward_data_op() {
  return operator_of<"aten::_softmax_backward_data", SoftmaxBackwardOp>();
}
inline const auto& _safe_softmax_op() { return operator_of<"aten::_safe_softmax", SoftmaxOp>(); }
inline const auto& log_softmax_op() { return operator_of<"aten::log_softmax.int", SoftmaxOp>(); }
inline const auto& _log_softmax_op() { return operator_of<"aten::_log_softmax", SoftmaxForwardOp>(); }
inline const auto& _log_softmax_backward_data_op() {
  return operator_of<"aten::_log_softmax_backward_data", SoftmaxBackwardOp>();
}

}  // namespace gb
