// softmax and its backward, over the middle dimension of contiguous [outer, dim, inner] arrays.
//
// PyTorch's layout (aten/src/ATen/native/cpu/SoftMaxKernel.cpp): softmax(x, d) of a contiguous x has
// outer = product of sizes before d, dim = size(d), inner = product after d. inner == 1 is the fast path.
// forward:   y = exp(x - max) / sum(exp(x - max)), max and sum over dim
// backward:  grad_input = y * (grad - sum(grad * y))
// Floating dtypes; Half and BFloat16 compute in float and round once. Any size may be 0. A NaN in a row makes
// the whole row NaN, and so does a row of -inf (inf - inf) or a +inf, as in PyTorch.
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/dispatch_stub.h"

namespace gb::cpu {

GB_CPU_KERNEL(softmax_forward_fn,
              bool(ScalarType dtype, void* out, const void* in, int64_t outer, int64_t dim,
                   int64_t inner));  // false: dtype not supported, nothing written
GB_CPU_KERNEL(softmax_backward_fn, bool(ScalarType dtype, void* grad_input, const void* grad,
                                        const void* output, int64_t outer, int64_t dim, int64_t inner));

// out, in: [outer, dim, inner]. `out` may be `in`. Throws NotImplementedError for a dtype that is not
// floating.
void softmax(ScalarType dtype, void* out, const void* in, int64_t outer, int64_t dim, int64_t inner);

// grad_input, grad, output: [outer, dim, inner]; output is the forward result. grad_input may be grad.
void softmax_backward(ScalarType dtype, void* grad_input, const void* grad, const void* output, int64_t outer,
                      int64_t dim, int64_t inner);

}  // namespace gb::cpu
