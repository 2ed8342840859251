// mse_loss and its backward, from sub, mul and mean: explicit composites, as each has a gradient of its own.
#include <fmt/format.h>

#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/common/type_promotion.h"
#include "ops/loss/checks.h"
#include "ops/loss/loss.h"

namespace gb {
namespace {

void check_mse(const Tensor& self, const Tensor& target, int64_t reduction, const char* op) {
  check_defined(self, op, "self");
  check_defined(target, op, "target");
  check_reduction(reduction, op);
  const ScalarType dtype = result_type(self, target);
  GB_CHECK_OR_THROW(isFloatingType(dtype), NotImplementedError,
                    .what = fmt::format("gb::{}: \"mse_cpu\" not implemented for '{}'", op, toString(dtype)),
                    .cause = "the mean of squared integers is no integer",
                    .repair = "convert to a floating dtype", .chapter = chapters::kTensors);
}

Tensor mse_loss_forward(const Tensor& self, const Tensor& target, int64_t reduction) {
  check_mse(self, target, reduction, "mse_loss");
  const Tensor difference = self.sub(target), squares = difference.mul(difference);
  return reduction == Reduction::None   ? squares
         : reduction == Reduction::Mean ? squares.mean()
                                        : squares.sum();
}

// grad_output: of the loss, so 0-dim where it was reduced.
Tensor mse_loss_gradient(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                         int64_t reduction) {
  check_defined(grad_output, "mse_loss_backward", "grad_output");
  check_mse(self, target, reduction, "mse_loss_backward");
  const Tensor difference = self.sub(target);
  const double factor = reduction == Reduction::Mean ? 2.0 / static_cast<double>(difference.numel()) : 2.0;
  return difference.mul(factor).mul(grad_output);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("mse_loss", GB_FN(mse_loss_forward));
  m.impl("mse_loss_backward", GB_FN(mse_loss_gradient));
}

}  // namespace gb
