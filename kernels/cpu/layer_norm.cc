#include "kernels/cpu/layer_norm.h"

#include "kernels/cpu/unsupported.h"

namespace gb::cpu {

GB_DEFINE_CPU_KERNEL(layer_norm_forward_fn);
GB_DEFINE_CPU_KERNEL(layer_norm_backward_fn);

void layer_norm(ScalarType dtype, void* y, void* mean, void* rstd, const void* x, const void* weight,
                const void* bias, double eps, int64_t rows, int64_t n) {
  if (!layer_norm_forward_fn_stub(dtype, y, mean, rstd, x, weight, bias, eps, rows, n)) [[unlikely]]
    throw_unsupported("layer_norm", dtype);
}

void layer_norm_backward(ScalarType dtype, const LayerNormGradients& out, const LayerNormInputs& in,
                         int64_t rows, int64_t n) {
  if (!layer_norm_backward_fn_stub(dtype, out, in, rows, n)) [[unlikely]]
    throw_unsupported("layer_norm_backward", dtype);
}

}  // namespace gb::cpu
