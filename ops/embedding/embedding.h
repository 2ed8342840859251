// embedding: rows of a matrix, chosen by integers.
//
//   weight [num, dim]    indices [...] of int64 or int32    ->  [..., dim]
//
// An index outside [0, num) is an IndexError. padding_idx takes part in the gradient only: its row gets none
// (-1: no such row). With scale_grad_by_freq each row's gradient is divided by how often it was chosen.
// sparse gradients are refused. Names follow ATen/native/Embedding.cpp.
#pragma once

#include "dispatcher/operator_handle.h"

namespace gb {

Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t padding_idx = -1,
                 bool scale_grad_by_freq = false, bool sparse = false);
// The gradient of weight: a composite that refuses sparse and calls the dense one.
Tensor embedding_backward(const Tensor& grad, const Tensor& indices, int64_t num_weights, int64_t padding_idx,
                          bool scale_grad_by_freq, bool sparse);
// grad_output [..., dim], indices [...]  ->  [num_weights, dim]
Tensor embedding_dense_backward(const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                int64_t padding_idx, bool scale_grad_by_freq);

using EmbeddingOp = TypedOperatorHandle<Tensor(const Tensor&, const Tensor&, int64_t, bool, bool)>;
using EmbeddingBackwardOp =
    TypedOperatorHandle<Tensor(const Tensor&, const Tensor&, int64_t, int64_t, bool, bool)>;
using EmbeddingDenseBackwardOp =
    TypedOperatorHandle<Tensor(const Tensor&, const Tensor&, int64_t, int64_t, bool)>;
const EmbeddingOp& embedding_op();
const EmbeddingBackwardOp& embedding_backward_op();
const EmbeddingDenseBackwardOp& embedding_dense_backward_op();

}  // namespace gb
