#include "ops/layer_norm/layer_norm.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def(
      "layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float "
      "eps=1e-05, bool "
      "cudnn_enable=True) -> Tensor");
  m.def(
      "native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps) "
      "-> (Tensor, "
      "Tensor, Tensor)");
  m.def(
      "native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, Tensor mean, "
      "Tensor rstd, "
      "Tensor? weight, Tensor? bias, bool[3] output_mask) -> (Tensor, Tensor, Tensor)");
}

Tensor layer_norm(const Tensor& input, IntArrayRef normalized_shape, OptionalTensor weight,
                  OptionalTensor bias, double eps, bool cudnn_enable) {
  GB_RETURN_CALL(layer_norm_op(), input, normalized_shape, weight, bias, eps, cudnn_enable);
}
ThreeTensors native_layer_norm(const Tensor& input, IntArrayRef normalized_shape, OptionalTensor weight,
                               OptionalTensor bias, double eps) {
  return native_layer_norm_op().call(input, normalized_shape, weight, bias, eps);
}
ThreeTensors native_layer_norm_backward(const Tensor& grad_out, const Tensor& input,
                                        IntArrayRef normalized_shape, const Tensor& mean, const Tensor& rstd,
                                        OptionalTensor weight, OptionalTensor bias,
                                        std::array<bool, 3> output_mask) {
  return native_layer_norm_backward_op().call(grad_out, input, normalized_shape, mean, rstd, weight, bias,
                                              output_mask);
}

namespace {

Tensor layer_norm_composite(const Tensor& input, IntArrayRef normalized_shape, OptionalTensor weight,
                            OptionalTensor bias, double eps, bool) {
  return std::get<0>(native_layer_norm(input, normalized_shape, weight, bias, eps));
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) { m.impl("layer_norm", GB_FN(layer_norm_composite)); }

}  // namespace gb
