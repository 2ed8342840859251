#include "ops/layer_norm/checks.h"

#include <fmt/format.h>

#include "ops/common/checks.h"

namespace gb {
namespace {

void check_parameter(const std::optional<Tensor>& parameter, const char* name, const Tensor& input,
                     IntArrayRef normalized_shape, const char* op) {
  if (!parameter || !parameter->defined()) return;
  GB_CHECK_OR_THROW(
      parameter->sizes() == normalized_shape, Error,
      .what = fmt::format(
          "gb::{}: Expected {} to be of same shape as normalized_shape, but got {} of shape {} and "
          "normalized_shape = {}",
          op, name, name, to_string(parameter->sizes()), to_string(normalized_shape)),
      .cause = "each normalized element has a weight and a bias of its own",
      .repair = "give one of normalized_shape", .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(
      parameter->scalar_type() == input.scalar_type(), Error,
      .what = fmt::format("gb::{}: mixed dtype (CPU): all the inputs must share same datatype", op),
      .cause = fmt::format("input is {}, {} is {}", toString(input.scalar_type()), name,
                           toString(parameter->scalar_type())),
      .repair = "convert one with .to(dtype)", .chapter = chapters::kTensors);
  check_same_device_as(*parameter, input.device(), op);
}

}  // namespace

LayerNormSizes::LayerNormSizes(const Tensor& input, IntArrayRef normalized_shape,
                               const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                               const char* op) {
  check_defined(input, op, "input");
  GB_CHECK_OR_THROW(
      !normalized_shape.empty(), Error,
      .what = fmt::format("gb::{}: Expected normalized_shape to be at least 1-dimensional, i.e., containing "
                          "at least one element, but got normalized_shape = {}",
                          op, to_string(normalized_shape)),
      .cause = "there is nothing to take a mean over", .repair = "give the sizes of the last dimensions",
      .chapter = chapters::kTensors);
  const IntArrayRef sizes = input.sizes();
  const bool fits = sizes.size() >= normalized_shape.size() &&
                    sizes.slice(sizes.size() - normalized_shape.size()) == normalized_shape;
  GB_CHECK_OR_THROW(
      fits, Error,
      .what = fmt::format(
          "gb::{}: Given normalized_shape={}, expected input with shape [*, {}], but got input of size {}",
          op, to_string(normalized_shape), fmt::join(normalized_shape.begin(), normalized_shape.end(), ", "),
          to_string(sizes)),
      .cause = "normalized_shape is the sizes of input's last dimensions",
      .repair = "give those, or reshape input", .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(isFloatingType(input.scalar_type()), NotImplementedError,
                    .what = fmt::format("gb::{}: \"LayerNormKernelImpl\" not implemented for '{}'", op,
                                        toString(input.scalar_type())),
                    .cause = "normalized integers are no integers",
                    .repair = "convert input to a floating dtype", .chapter = chapters::kTensors);
  check_parameter(weight, "weight", input, normalized_shape, op);
  check_parameter(bias, "bias", input, normalized_shape, op);
  statistics = sizes.vec();
  for (size_t d = 0; d < sizes.size(); ++d) {
    const bool is_row = d + normalized_shape.size() < sizes.size();
    (is_row ? rows : n) *= sizes[d];
    if (!is_row) statistics[d] = 1;
  }
}

void check_layer_norm_gradient(const LayerNormSizes& sizes, const Tensor& grad_out, const Tensor& input,
                               const Tensor& mean, const Tensor& rstd) {
  const char* op = "native_layer_norm_backward";
  check_defined(grad_out, op, "grad_out");
  check_defined(mean, op, "mean");
  check_defined(rstd, op, "rstd");
  for (const Tensor* t : {&grad_out, &mean, &rstd}) {
    const bool fits = t == &grad_out ? t->sizes() == input.sizes() : t->numel() == sizes.rows;
    GB_CHECK_OR_THROW(
        fits && t->scalar_type() == input.scalar_type(), Error,
        .what = fmt::format("gb::{}: {} does not belong to this input", op,
                            t == &grad_out ? "grad_out"
                            : t == &mean   ? "mean"
                                           : "rstd"),
        .cause = fmt::format("input is {} {}, this is {} {}", toString(input.scalar_type()),
                             to_string(input.sizes()), toString(t->scalar_type()), to_string(t->sizes())),
        .repair = "pass what native_layer_norm returned, and the gradient of its first result",
        .chapter = chapters::kAutograd);
  }
}

}  // namespace gb
