#include "dispatcher/library.h"
#include "ops/common/empty.h"
#include "ops/loss/checks.h"
#include "ops/loss/loss.h"

namespace gb {
namespace {

std::tuple<Tensor, Tensor> nll_loss_meta(const Tensor& self, const Tensor& target,
                                         const std::optional<Tensor>& weight, int64_t reduction, int64_t) {
  const NllSizes n(self, target, weight, reduction, "nll_loss_forward");
  return {empty_on(self.device(), n.output, self.scalar_type()),
          empty_on(self.device(), {}, self.scalar_type())};
}

Tensor nll_loss_backward_meta(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                              const std::optional<Tensor>& weight, int64_t reduction, int64_t,
                              const Tensor& total_weight) {
  check_nll_gradient(grad_output, total_weight,
                     NllSizes(self, target, weight, reduction, "nll_loss_backward"));
  return empty_on(self.device(), self.sizes(), self.scalar_type());
}

}  // namespace

GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("nll_loss_forward", GB_FN(nll_loss_meta));
  m.impl("nll_loss_backward", GB_FN(nll_loss_backward_meta));
}

}  // namespace gb
