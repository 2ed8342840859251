#include "nn/utils/clip_grad.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/autograd_state.h"
#include "core/error.h"
#include "ops/factories/factories.h"

namespace gb::nn::utils {
namespace {

// Both hand a NaN on.
double squares(const Tensor& grad) { return grad.mul(grad).sum().item<double>(); }
double largest(const Tensor& grad) {
  const double high = grad.amax().item<double>();
  return std::isnan(high) ? high : std::max(high, grad.neg().amax().item<double>());
}

}  // namespace

double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type,
                       bool error_if_nonfinite) {
  const bool by_largest = norm_type == std::numeric_limits<double>::infinity();
  GB_CHECK_OR_THROW(by_largest || norm_type == 2, NotImplementedError,
                    .what = fmt::format("clip_grad_norm_: norm_type {} is not implemented", norm_type),
                    .cause = "the norms here are 2 and infinity", .repair = "use norm_type 2",
                    .chapter = chapters::kGrammar);
  NoGradGuard unrecorded;
  std::vector<Tensor> grads;
  for (const Tensor& parameter : parameters) {
    if (parameter.grad().defined() && parameter.grad().numel() > 0) grads.push_back(parameter.grad());
  }
  double total = 0;
  for (const Tensor& grad : grads) {
    const double own = by_largest ? largest(grad) : squares(grad);
    total = by_largest && !std::isnan(own) && !std::isnan(total) ? std::max(total, own) : total + own;
  }
  if (!by_largest) total = std::sqrt(total);
  GB_CHECK_OR_THROW(!error_if_nonfinite || std::isfinite(total), Error,
                    .what = fmt::format("clip_grad_norm_: The total norm of order {} for gradients from `parameters` is "
                                        "non-finite, so it cannot be clipped", norm_type),
                    .cause = fmt::format("it is {}", total),
                    .repair = "find the first step whose loss is not finite; a smaller learning rate may help",
                    .chapter = chapters::kGrammar);
  const double factor = std::min(max_norm / (total + 1e-6), 1.0);  // NaN stays NaN
  for (const Tensor& grad : grads) grad.mul_(scalar_tensor(factor, grad.scalar_type()));
  return total;
}

}  // namespace gb::nn::utils
