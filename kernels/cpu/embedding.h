// embedding and its dense backward: whole rows moved by int64 indices.
//
// Indices are checked as in gather.h: all of them before anything is written, the first bad one is returned.
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/gather.h"

namespace gb::cpu {

// out[i, :] = weight[indices[i], :].  out [n, dim] contiguous, weight [num_embeddings, dim] with its rows
// weight_row_stride elements apart, indices [n] contiguous.
BadIndex embedding(ScalarType dtype, void* out, const void* weight, int64_t num_embeddings, int64_t dim,
                   int64_t weight_row_stride, const int64_t* indices, int64_t n);

// grad_weight[indices[i], :] += grad[i, :] from zero, in the order of i; i with indices[i] == padding_idx is
// left out (padding_idx < 0: none). With scale_grad_by_freq each row is divided by how often its index
// occurs. grad_weight [num_embeddings, dim], grad [n, dim], indices [n], all contiguous. Floating dtypes.
BadIndex embedding_dense_backward(ScalarType dtype, void* grad_weight, const void* grad,
                                  const int64_t* indices, int64_t n, int64_t num_embeddings, int64_t dim,
                                  int64_t padding_idx, bool scale_grad_by_freq);

}  // namespace gb::cpu
