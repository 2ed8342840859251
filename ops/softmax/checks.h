// What the softmax kernels demand of their operands, and the sizes they work on.
#pragma once

#include "core/tensor.h"

namespace gb {

// A contiguous tensor as [outer, dim, inner].
struct SoftmaxSizes {
  SoftmaxSizes(IntArrayRef sizes, int64_t wrapped_dim);
  int64_t outer = 1, dim = 1, inner = 1;
};

// Both return `dim` counted from the front, or throw.
int64_t check_softmax(const char* op, const Tensor& self, int64_t dim, bool half_to_float);
int64_t check_softmax_backward(const char* op, const Tensor& grad_output, const Tensor& output, int64_t dim,
                               ScalarType input_dtype);

}  // namespace gb
