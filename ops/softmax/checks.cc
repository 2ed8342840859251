#include "ops/softmax/checks.h"

#include <fmt/format.h>

#include "ops/common/checks.h"

namespace gb {
namespace {

void check_floating(const char* op, ScalarType dtype) {
  GB_CHECK_OR_THROW(isFloatingType(dtype), NotImplementedError,
                    .what = fmt::format("gb::{}: \"softmax\" not implemented for '{}'", op, toString(dtype)),
                    .cause = "exp of a number is not an integer",
                    .repair = "give softmax a floating dtype: gb::softmax(x, dim, kFloat)",
                    .chapter = chapters::kKernels);
}

}  // namespace

SoftmaxSizes::SoftmaxSizes(IntArrayRef sizes, int64_t wrapped_dim) {
  const auto at = static_cast<size_t>(wrapped_dim);
  for (size_t d = 0; d < sizes.size(); ++d) (d < at ? outer : d == at ? dim : inner) *= sizes[d];
}

int64_t check_softmax(const char* op, const Tensor& self, int64_t dim, bool half_to_float) {
  check_defined(self, op, "self");
  check_floating(op, self.scalar_type());
  GB_CHECK_OR_THROW(
      !half_to_float || self.is_meta() || (self.is_cuda() && self.scalar_type() == kHalf), Error,
      .what = fmt::format("gb::{}: {}", op,
                          self.is_cuda() ? "conversion is supported for Half type only"
                                         : "softmax with half to float conversion is not supported on CPU"),
      .cause = fmt::format("half_to_float is set for a {} tensor on {}", toString(self.scalar_type()),
                           self.device().str()),
      .repair = "convert first: gb::softmax(x, dim, kFloat)", .chapter = chapters::kKernels);
  return maybe_wrap_dim(dim, self.dim(), op);
}

int64_t check_softmax_backward(const char* op, const Tensor& grad_output, const Tensor& output, int64_t dim,
                               ScalarType input_dtype) {
  check_defined(grad_output, op, "grad_output");
  check_defined(output, op, "output");
  check_floating(op, output.scalar_type());
  check_same_device_as(grad_output, output.device(), op);
  GB_CHECK_OR_THROW(
      grad_output.sizes() == output.sizes() && grad_output.scalar_type() == output.scalar_type(), Error,
      .what = fmt::format("gb::{}: grad_output and output must have the same sizes and dtype", op),
      .cause = fmt::format("grad_output is {} {}, output is {} {}", toString(grad_output.scalar_type()),
                           to_string(grad_output.sizes()), toString(output.scalar_type()),
                           to_string(output.sizes())),
      .repair = "pass what the forward operator returned and the gradient of just that",
      .chapter = chapters::kAutograd);
  GB_CHECK_OR_THROW(
      input_dtype == output.scalar_type() || (input_dtype == kHalf && output.scalar_type() == kFloat), Error,
      .what = fmt::format(
          "gb::{}: expected input and grad types to match, or input to be Half and grad to be Float", op),
      .cause = fmt::format("input_dtype is {}, output is {}", toString(input_dtype),
                           toString(output.scalar_type())),
      .repair = "pass the dtype of the forward operator's input", .chapter = chapters::kAutograd);
  return maybe_wrap_dim(dim, output.dim(), op);
}

}  // namespace gb
