#include "dispatcher/library.h"
#include "ops/common/empty.h"
#include "ops/layer_norm/checks.h"
#include "ops/layer_norm/layer_norm.h"

namespace gb {
namespace {

ThreeTensors layer_norm_meta(const Tensor& input, IntArrayRef normalized_shape, OptionalTensor weight,
                             OptionalTensor bias, double) {
  const LayerNormSizes n(input, normalized_shape, weight, bias, "native_layer_norm");
  const auto made = [&](IntArrayRef sizes) { return empty_on(input.device(), sizes, input.scalar_type()); };
  return {made(input.sizes()), made(n.statistics), made(n.statistics)};
}

ThreeTensors layer_norm_backward_meta(const Tensor& grad_out, const Tensor& input,
                                      IntArrayRef normalized_shape, const Tensor& mean, const Tensor& rstd,
                                      OptionalTensor weight, OptionalTensor bias,
                                      std::array<bool, 3> output_mask) {
  const LayerNormSizes n(input, normalized_shape, weight, bias, "native_layer_norm_backward");
  check_layer_norm_gradient(n, grad_out, input, mean, rstd);
  const auto wanted = [&](size_t i, IntArrayRef sizes) {
    return output_mask[i] ? empty_on(input.device(), sizes, input.scalar_type()) : Tensor();
  };
  return {wanted(0, input.sizes()), wanted(1, normalized_shape), wanted(2, normalized_shape)};
}

}  // namespace

GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("native_layer_norm", GB_FN(layer_norm_meta));
  m.impl("native_layer_norm_backward", GB_FN(layer_norm_backward_meta));
}

}  // namespace gb
