#include "kernels/cpu/softmax.h"

#include "kernels/cpu/unsupported.h"

namespace gb::cpu {

GB_DEFINE_CPU_KERNEL(softmax_forward_fn);
GB_DEFINE_CPU_KERNEL(softmax_backward_fn);

void softmax(ScalarType dtype, void* out, const void* in, int64_t outer, int64_t dim, int64_t inner) {
  if (!softmax_forward_fn_stub(dtype, out, in, outer, dim, inner)) [[unlikely]]
    throw_unsupported("softmax", dtype);
}

void softmax_backward(ScalarType dtype, void* grad_input, const void* grad, const void* output, int64_t outer,
                      int64_t dim, int64_t inner) {
  if (!softmax_backward_fn_stub(dtype, grad_input, grad, output, outer, dim, inner)) [[unlikely]]
    throw_unsupported("softmax_backward", dtype);
}

}  // namespace gb::cpu
