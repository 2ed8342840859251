// As cpu.cc, on a GPU.
#include "dispatcher/library.h"
#include "kernels/cuda/layer_norm/layer_norm.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/common/empty.h"
#include "ops/layer_norm/checks.h"
#include "ops/layer_norm/layer_norm.h"

namespace gb {
namespace {

Tensor contiguous_or_none(OptionalTensor t) { return t && t->defined() ? t->contiguous() : Tensor(); }
void* data_of(const Tensor& t) { return t.defined() ? t.mutable_data_ptr() : nullptr; }

ThreeTensors layer_norm_cuda(const Tensor& input, IntArrayRef normalized_shape, OptionalTensor weight_,
                            OptionalTensor bias_, double eps) {
  const LayerNormSizes n(input, normalized_shape, weight_, bias_, "native_layer_norm");
  const cuda::DeviceGuard guard(input.device());
  const Tensor x = input.contiguous(), weight = contiguous_or_none(weight_), bias = contiguous_or_none(bias_);
  const ScalarType dtype = input.scalar_type();
  Tensor y = empty_on(input.device(), input.sizes(), dtype), mean = empty_on(input.device(), n.statistics, dtype),
         rstd = empty_on(input.device(), n.statistics, dtype);
  cuda::layer_norm(dtype, data_of(y), data_of(mean), data_of(rstd), data_of(x), data_of(weight), data_of(bias),
                  eps, n.rows, n.n, cuda::current_stream());
  return {y, mean, rstd};
}

ThreeTensors layer_norm_backward_cuda(const Tensor& grad_out, const Tensor& input,
                                     IntArrayRef normalized_shape, const Tensor& mean_, const Tensor& rstd_,
                                     OptionalTensor weight_, OptionalTensor bias,
                                     std::array<bool, 3> output_mask) {
  const LayerNormSizes n(input, normalized_shape, weight_, bias, "native_layer_norm_backward");
  check_layer_norm_gradient(n, grad_out, input, mean_, rstd_);
  const cuda::DeviceGuard guard(input.device());
  const Tensor grad = grad_out.contiguous(), x = input.contiguous(), mean = mean_.contiguous(),
               rstd = rstd_.contiguous(), weight = contiguous_or_none(weight_);
  const auto wanted = [&](size_t i, IntArrayRef sizes) {
    return output_mask[i] ? empty_on(input.device(), sizes, input.scalar_type()) : Tensor();
  };
  ThreeTensors result{wanted(0, input.sizes()), wanted(1, normalized_shape), wanted(2, normalized_shape)};
  const auto& [grad_input, grad_weight, grad_bias] = result;
  cuda::layer_norm_backward(
      input.scalar_type(), {data_of(grad_input), data_of(grad_weight), data_of(grad_bias)},
      {data_of(grad), data_of(x), data_of(mean), data_of(rstd), data_of(weight)}, n.rows, n.n,
      cuda::current_stream());
  return result;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("native_layer_norm", GB_FN(layer_norm_cuda));
  m.impl("native_layer_norm_backward", GB_FN(layer_norm_backward_cuda));
}

}  // namespace gb
