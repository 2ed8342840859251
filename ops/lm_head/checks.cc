#include "ops/lm_head/checks.h"

#include <fmt/format.h>

#include "ops/common/checks.h"

namespace gb {
namespace {

void check_operand(const Tensor& t, const char* name, const Tensor& input, const char* op) {
  check_same_device_as(t, input.device(), op);
  GB_CHECK_OR_THROW(t.scalar_type() == input.scalar_type(), Error,
                    .what = fmt::format("gb::{}: expected {} to have the dtype of input", op, name),
                    .cause = fmt::format("input is {}, {} is {}", toString(input.scalar_type()), name,
                                         toString(t.scalar_type())),
                    .repair = "convert one with .to(dtype)", .chapter = chapters::kTensors);
}

}  // namespace

LmHeadSizes::LmHeadSizes(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, const char* op) {
  check_defined(input, op, "input");
  check_defined(weight, op, "weight");
  GB_CHECK_OR_THROW(isFloatingType(input.scalar_type()), NotImplementedError,
                    .what = fmt::format("gb::{}: not implemented for '{}'", op, toString(input.scalar_type())),
                    .cause = "exp of a number is not an integer", .repair = "convert input to a floating dtype",
                    .chapter = chapters::kKernels);
  GB_CHECK_OR_THROW(
      input.dim() > 0 && weight.dim() == 2 && input.sizes().back() == weight.sizes()[1], Error,
      .what = fmt::format("gb::{}: input and weight do not fit each other", op),
      .cause = fmt::format("input has sizes {}, weight has sizes {}", to_string(input.sizes()),
                           to_string(weight.sizes())),
      .repair = "give an input [..., in] and a weight [out, in]", .chapter = chapters::kTensors);
  check_operand(weight, "weight", input, op);
  in = weight.sizes()[1], out = weight.sizes()[0];
  if (bias && bias->defined()) {
    GB_CHECK_OR_THROW(bias->sizes() == IntArrayRef{out}, Error,
                      .what = fmt::format("gb::{}: bias and weight do not fit each other", op),
                      .cause = fmt::format("bias has sizes {}, weight has sizes {}", to_string(bias->sizes()),
                                           to_string(weight.sizes())),
                      .repair = "give a bias [out], one number for each row of weight", .chapter = chapters::kTensors);
    check_operand(*bias, "bias", input, op);
  }
  output = input.sizes().vec();
  output.back() = out;
  for (size_t d = 0; d + 1 < output.size(); ++d) rows *= output[d];
}

void check_targets_fit(const Tensor& input, const Tensor& target, const char* op) {
  check_defined(target, op, "target");
  GB_CHECK_OR_THROW(
      input.dim() == 2 && target.dim() == 1 && target.sizes()[0] == input.sizes()[0], Error,
      .what = fmt::format("gb::{}: input and target do not fit each other", op),
      .cause = fmt::format("input has sizes {}, target has sizes {}", to_string(input.sizes()),
                           to_string(target.sizes())),
      .repair = "give an input [rows, in] and a target [rows]: reshape what has more dimensions",
      .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(
      target.scalar_type() == kLong, Error,
      .what = fmt::format("gb::{}: expected scalar type Long but found {}", op, toString(target.scalar_type())),
      .cause = "a target is the number of a class", .repair = "convert it: target.to(kLong)",
      .chapter = chapters::kTensors);
  check_same_device_as(target, input.device(), op);
}

void check_like_forward(const Tensor& given, IntArrayRef sizes, ScalarType dtype, Device device, const char* name,
                        const char* op) {
  check_defined(given, op, name);
  check_same_device_as(given, device, op);
  GB_CHECK_OR_THROW(
      given.sizes() == sizes && given.scalar_type() == dtype, Error,
      .what = fmt::format("gb::{}: {} is not of the sizes and dtype that forward gives", op, name),
      .cause = fmt::format("expected {} {}, got {} {}", toString(dtype), to_string(sizes),
                           toString(given.scalar_type()), to_string(given.sizes())),
      .repair = "pass what the forward operator returned, or the gradient of just that",
      .chapter = chapters::kAutograd);
}

ScalarType computed_in(ScalarType dtype) { return dtype == kDouble ? kDouble : kFloat; }

}  // namespace gb
