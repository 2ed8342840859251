#include "ops/dropout/dropout.h"

#include <fmt/format.h>

#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/factories/factories.h"
#include "ops/random/random.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("dropout(Tensor input, float p, bool train) -> Tensor");
  m.def("native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)");
  m.def("native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor");
}

Tensor dropout(const Tensor& input, double p, bool train) { GB_RETURN_CALL(dropout_op(), input, p, train); }
std::tuple<Tensor, Tensor> native_dropout(const Tensor& input, double p, std::optional<bool> train) {
  return native_dropout_op().call(input, p, train);
}
Tensor native_dropout_backward(const Tensor& grad_output, const Tensor& mask, double scale) {
  GB_RETURN_CALL(native_dropout_backward_op(), grad_output, mask, scale);
}

namespace {

void check_dropout(const Tensor& input, double p, const char* op) {
  check_defined(input, op, "input");
  GB_CHECK_OR_THROW(
      p >= 0 && p <= 1, Error,
      .what = fmt::format("gb::{}: dropout probability has to be between 0 and 1, but got {}", op, p),
      .cause = "p is the probability with which an element becomes 0", .repair = "give one in [0, 1]",
      .chapter = chapters::kTensors);
}

double scale_of(double p) { return p == 1 ? 0.0 : 1.0 / (1.0 - p); }

Tensor dropout_composite(const Tensor& input, double p, bool train) {
  check_dropout(input, p, "dropout");
  if (p == 0 || !train || input.numel() == 0) return input;
  if (p == 1) return input.mul(zeros({}, input.options()));
  const Tensor noise = empty_like(input);
  noise.bernoulli_(1 - p).div_(1 - p);
  return input.mul(noise);
}

std::tuple<Tensor, Tensor> native_dropout_kernel(const Tensor& input, double p, std::optional<bool> train) {
  check_dropout(input, p, "native_dropout");
  if (!train.value_or(true)) return {input.clone(), ones_like(input, TensorOptions(kBool))};
  const Tensor mask = empty_like(input, TensorOptions(kBool));
  mask.bernoulli_(1 - p);
  return {input.mul(mask).mul(scale_of(p)), mask};
}

Tensor native_dropout_gradient(const Tensor& grad_output, const Tensor& mask, double scale) {
  check_defined(grad_output, "native_dropout_backward", "grad_output");
  check_defined(mask, "native_dropout_backward", "mask");
  GB_CHECK_OR_THROW(mask.scalar_type() == kBool, Error,
                    .what = fmt::format("gb::native_dropout_backward: Mask should be Bool Scalar Type {}",
                                        toString(mask.scalar_type())),
                    .cause = "the mask says of each element whether it stayed",
                    .repair = "pass the second result of native_dropout", .chapter = chapters::kAutograd);
  return grad_output.mul(mask).mul(scale);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) { m.impl("dropout", GB_FN(dropout_composite)); }
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("native_dropout", GB_FN(native_dropout_kernel));
  m.impl("native_dropout_backward", GB_FN(native_dropout_gradient));
}

}  // namespace gb
