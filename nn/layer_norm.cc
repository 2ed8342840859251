#include "nn/layer_norm.h"

#include <fmt/format.h>

#include <ostream>

#include "nn/functional.h"
#include "nn/init.h"
#include "ops/ops.h"

namespace gb::nn {

LayerNormImpl::LayerNormImpl(LayerNormOptions o) : options(std::move(o)) { reset(); }

void LayerNormImpl::reset() {
  const bool affine = options.elementwise_affine();
  weight = register_parameter("weight", affine ? gb::empty(options.normalized_shape()) : Tensor());
  bias = register_parameter("bias", affine ? gb::empty(options.normalized_shape()) : Tensor());
  reset_parameters();
}

void LayerNormImpl::reset_parameters() {
  if (!options.elementwise_affine()) return;
  init::ones_(weight);
  init::zeros_(bias);
}

Tensor LayerNormImpl::forward(const Tensor& input) const {
  return functional::layer_norm(
      input,
      functional::LayerNormFuncOptions(options.normalized_shape()).weight(weight).bias(bias).eps(options.eps()));
}

void LayerNormImpl::pretty_print(std::ostream& stream) const {
  stream << fmt::format("gb::nn::LayerNorm([{}], eps={}, elementwise_affine={})",
                        fmt::join(options.normalized_shape(), ", "), options.eps(), options.elementwise_affine());
}

}  // namespace gb::nn
