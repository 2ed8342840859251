#include "ops/loss/checks.h"

#include <fmt/format.h>

#include "ops/common/checks.h"
#include "ops/loss/loss.h"

namespace gb {

void check_reduction(int64_t reduction, const char* op) {
  GB_CHECK_OR_THROW(reduction >= Reduction::None && reduction <= Reduction::Sum, ValueError,
                    .what = fmt::format("gb::{}: {} is not a valid value for reduction", op, reduction),
                    .cause = "a loss is left as it is, averaged or summed",
                    .repair = "give Reduction::None, Mean or Sum", .chapter = chapters::kTensors);
}

void check_class_weight(const Tensor& weight, int64_t classes, const char* op) {
  GB_CHECK_OR_THROW(
      weight.dim() == 1 && weight.numel() == classes, Error,
      .what = fmt::format(
          "gb::{}: weight tensor should be defined either for all {} classes or no classes but got "
          "weight tensor of shape: {}",
          op, classes, to_string(weight.sizes())),
      .cause = "there is one weight per class", .repair = "give a weight [classes]",
      .chapter = chapters::kTensors);
}

NllSizes::NllSizes(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                   int64_t reduction, const char* op) {
  check_defined(self, op, "self");
  check_defined(target, op, "target");
  check_reduction(reduction, op);
  GB_CHECK_OR_THROW(self.dim() == 1 || self.dim() == 2, Error,
                    .what = fmt::format("gb::{}: input tensor should be 1D or 2D", op),
                    .cause = fmt::format("it has sizes {}", to_string(self.sizes())),
                    .repair = "give [rows, classes] or [classes]", .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(
      target.dim() <= 1, Error,
      .what = fmt::format("gb::{}: 0D or 1D target tensor expected, multi-target not supported", op),
      .cause = fmt::format("target has sizes {}", to_string(target.sizes())),
      .repair = "give one class per row", .chapter = chapters::kTensors);
  const bool is_one_row = self.dim() == 1;
  GB_CHECK_OR_THROW(
      is_one_row ? target.numel() == 1 : target.dim() == 1 && target.sizes()[0] == self.sizes()[0], Error,
      .what = fmt::format("gb::{}: size mismatch (got input: {}, target: {})", op, to_string(self.sizes()),
                          to_string(target.sizes())),
      .cause = "there is one target per row", .repair = "give a target [rows]",
      .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(target.scalar_type() == kLong, Error,
                    .what = fmt::format("gb::{}: expected scalar type Long but found {}", op,
                                        toString(target.scalar_type())),
                    .cause = "a target is the number of a class", .repair = "convert it: target.to(kLong)",
                    .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(isFloatingType(self.scalar_type()), NotImplementedError,
                    .what = fmt::format("gb::{}: \"nll_loss_out_frame\" not implemented for '{}'", op,
                                        toString(self.scalar_type())),
                    .cause = "self has log-probabilities, which are not integers",
                    .repair = "give log_softmax of floating scores", .chapter = chapters::kTensors);
  check_same_device_as(target, self.device(), op);
  rows = is_one_row ? 1 : self.sizes()[0];
  classes = self.sizes().back();
  if (weight && weight->defined()) {
    check_class_weight(*weight, classes, op);
    check_same_device_as(*weight, self.device(), op);
    GB_CHECK_OR_THROW(weight->scalar_type() == self.scalar_type(), Error,
                      .what = fmt::format("gb::{}: expected scalar type {} but found {}", op,
                                          toString(self.scalar_type()), toString(weight->scalar_type())),
                      .cause = "weight has another dtype than self", .repair = "convert it",
                      .chapter = chapters::kTensors);
  }
  if (reduction == Reduction::None && !is_one_row) output = {rows};
}

void check_nll_gradient(const Tensor& grad_output, const Tensor& total_weight, const NllSizes& sizes) {
  check_defined(grad_output, "nll_loss_backward", "grad_output");
  check_defined(total_weight, "nll_loss_backward", "total_weight");
  GB_CHECK_OR_THROW(total_weight.numel() == 1, Error,
                    .what = "gb::nll_loss_backward: expected total_weight to be a  single element tensor",
                    .cause = fmt::format("it has sizes {}", to_string(total_weight.sizes())),
                    .repair = "pass the second result of nll_loss_forward", .chapter = chapters::kAutograd);
  const bool fits = sizes.output.empty() ? grad_output.dim() <= 1 && grad_output.numel() == 1
                                         : grad_output.sizes() == IntArrayRef(sizes.output);
  GB_CHECK_OR_THROW(
      fits, Error,
      .what = fmt::format("gb::nll_loss_backward: Expected a grad_output of size {}, but got: {}",
                          to_string(IntArrayRef(sizes.output)), to_string(grad_output.sizes())),
      .cause = "it is the gradient of the loss, so it has its sizes",
      .repair = "pass the gradient of what nll_loss_forward returned", .chapter = chapters::kAutograd);
}

void throw_bad_target(int64_t target, int64_t position, int64_t classes, const char* op) {
  GB_THROW(IndexError, .what = fmt::format("gb::{}: Target {} is out of bounds.", op, target),
           .cause = fmt::format("target {} of row {} is no class: there are {}", target, position, classes),
           .repair = "classes are counted from 0; give ignore_index for rows without one",
           .chapter = chapters::kTensors);
}

}  // namespace gb
