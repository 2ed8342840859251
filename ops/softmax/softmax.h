// softmax over one dimension: y = exp(x - max x) / sum exp(x - max x).
//
//   softmax.int                composite: converts to `dtype` first where one is given, then _softmax
//   _softmax                   the operator with kernels and a gradient; a new contiguous tensor of self's
//   sizes _softmax_backward_data     grad_input = y * (grad - sum(grad * y)); has a gradient itself, for
//   double backward
//
// Floating dtypes; integers are a NotImplementedError (give dtype). A row with NaN or +inf, or of -inf only,
// is NaN. dim may count from the end; of a 0-dim tensor it may be 0 or -1. Names follow
// ATen/native/SoftMax.cpp.
#pragma once

#include "dispatcher/operator_handle.h"

namespace gb {

Tensor softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = {});
// half_to_float: a Half input gives a Float result in one go; on CUDA only.
Tensor _softmax(const Tensor& self, int64_t dim, bool half_to_float);
// output: what _softmax returned. input_dtype: of _softmax's input, the dtype of the result.
Tensor _softmax_backward_data(const Tensor& grad_output, const Tensor& output, int64_t dim,
                              ScalarType input_dtype);

using SoftmaxOp = TypedOperatorHandle<Tensor(const Tensor&, int64_t, std::optional<ScalarType>)>;
using SoftmaxForwardOp = TypedOperatorHandle<Tensor(const Tensor&, int64_t, bool)>;
using SoftmaxBackwardOp = TypedOperatorHandle<Tensor(const Tensor&, const Tensor&, int64_t, ScalarType)>;
const SoftmaxOp& softmax_op();
const SoftmaxForwardOp& _softmax_op();
const SoftmaxBackwardOp& _softmax_backward_data_op();

}  // namespace gb
