// What embedding and its backward demand of their operands, and the sizes of their results.
#pragma once

#include <vector>

#include "core/tensor.h"

namespace gb {

std::vector<int64_t> check_embedding(const Tensor& weight,
                                     const Tensor& indices);  // indices' sizes and weight's columns
void check_embedding_backward(const Tensor& grad_output, const Tensor& indices, int64_t num_weights);

// The indices as kernels read them: int64, contiguous.
inline Tensor as_int64(const Tensor& indices) {
  return (indices.scalar_type() == kLong ? indices : indices.to(kLong)).contiguous();
}

}  // namespace gb
