#include "kernels/cpu/log_softmax.h"

#include "kernels/cpu/unsupported.h"

namespace gb::cpu {

GB_DEFINE_CPU_KERNEL(log_softmax_forward_fn);
GB_DEFINE_CPU_KERNEL(log_softmax_backward_fn);

void log_softmax(ScalarType dtype, void* out, const void* in, int64_t outer, int64_t dim, int64_t inner) {
  if (!log_softmax_forward_fn_stub(dtype, out, in, outer, dim, inner)) [[unlikely]]
    throw_unsupported("log_softmax", dtype);
}

void log_softmax_backward(ScalarType dtype, void* grad_input, const void* grad, const void* output,
                          int64_t outer, int64_t dim, int64_t inner) {
  if (!log_softmax_backward_fn_stub(dtype, grad_input, grad, output, outer, dim, inner)) [[unlikely]]
    throw_unsupported("log_softmax_backward", dtype);
}

}  // namespace gb::cpu
