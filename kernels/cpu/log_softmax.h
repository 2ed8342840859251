// log_softmax and its backward, over the middle dimension of contiguous [outer, dim, inner] arrays (see
// softmax.h).
//
// forward:   y = x - max - log(sum(exp(x - max))), max and sum over dim
// backward:  grad_input = grad - exp(y) * sum(grad)
// Floating dtypes; Half and BFloat16 compute in float and round once. Any size may be 0. A row with a NaN or
// a +inf, or of -inf only, is NaN, as in PyTorch (aten/src/ATen/native/cpu/SoftMaxKernel.cpp).
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/dispatch_stub.h"

namespace gb::cpu {

// false: dtype not supported, nothing written.
GB_CPU_KERNEL(log_softmax_forward_fn,
              bool(ScalarType dtype, void* out, const void* in, int64_t outer, int64_t dim, int64_t inner));
GB_CPU_KERNEL(log_softmax_backward_fn, bool(ScalarType dtype, void* grad_input, const void* grad,
                                            const void* output, int64_t outer, int64_t dim, int64_t inner));

// out, in: [outer, dim, inner]. Throws NotImplementedError for a dtype that is not floating.
void log_softmax(ScalarType dtype, void* out, const void* in, int64_t outer, int64_t dim, int64_t inner);

// grad_input, grad, output: [outer, dim, inner]; output is the forward result. grad_input may be grad.
void log_softmax_backward(ScalarType dtype, void* grad_input, const void* grad, const void* output,
                          int64_t outer, int64_t dim, int64_t inner);

}  // namespace gb::cpu
