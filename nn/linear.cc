#include "nn/linear.h"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "core/error.h"
#include "nn/init.h"
#include "ops/factories/factories.h"
#include "ops/linear/linear.h"

namespace gb::nn {

LinearImpl::LinearImpl(LinearOptions o) : options(o) {
  GB_CHECK_OR_THROW(o.in_features() >= 0 && o.out_features() >= 0, ValueError,
                    .what = fmt::format("nn::Linear({}, {}): sizes must not be negative", o.in_features(), o.out_features()),
                    .cause = "they are the two sizes of the weight", .repair = "give sizes of 0 or more",
                    .chapter = chapters::kTensors);
  reset();
}

void LinearImpl::reset() {
  weight = register_parameter("weight", empty({options.out_features(), options.in_features()}));
  bias = register_parameter("bias", options.bias() ? empty({options.out_features()}) : Tensor());
  reset_parameters();
}

void LinearImpl::reset_parameters() {
  const double bound = options.in_features() > 0 ? 1 / std::sqrt(static_cast<double>(options.in_features())) : 0;
  init::uniform_(weight, -bound, bound);
  if (bias.defined()) init::uniform_(bias, -bound, bound);
}

Tensor LinearImpl::forward(const Tensor& input) const {
  return gb::linear(input, weight, bias.defined() ? std::optional<Tensor>(bias) : std::nullopt);
}

void LinearImpl::pretty_print(std::ostream& stream) const {
  stream << fmt::format("gb::nn::Linear(in_features={}, out_features={}, bias={})", options.in_features(),
                        options.out_features(), options.bias());
}

}  // namespace gb::nn
