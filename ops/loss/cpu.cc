// nll_loss and its backward on the CPU. Everything that is summed or divided is so in double, and rounded
// once.
#include "dispatcher/library.h"
#include "kernels/cpu/nll_loss.h"
#include "ops/common/empty.h"
#include "ops/loss/checks.h"
#include "ops/loss/loss.h"

namespace gb {
namespace {

const void* data_of(const Tensor& t) { return t.defined() ? t.const_data_ptr() : nullptr; }

Tensor contiguous_or_none(const std::optional<Tensor>& weight) {
  return weight && weight->defined() ? weight->contiguous() : Tensor();
}

void check_targets(cpu::BadIndex bad, int64_t classes, const char* op) {
  if (bad) throw_bad_target(bad.value, bad.position, classes, op);
}

std::tuple<Tensor, Tensor> nll_loss_cpu(const Tensor& self, const Tensor& target,
                                        const std::optional<Tensor>& weight_, int64_t reduction,
                                        int64_t ignore_index) {
  const char* op = "nll_loss_forward";
  const NllSizes n(self, target, weight_, reduction, op);
  const Tensor input = self.contiguous(), targets = target.contiguous(), weight = contiguous_or_none(weight_);
  Tensor value = empty_cpu({n.rows}, kDouble), used = empty_cpu({n.rows}, kDouble);
  check_targets(cpu::nll_loss(self.scalar_type(), value.data_ptr<double>(), used.data_ptr<double>(),
                              input.const_data_ptr(), targets.const_data_ptr<int64_t>(), data_of(weight),
                              n.rows, n.classes, ignore_index),
                n.classes, op);
  if (!n.output.empty()) return {value.to(self.scalar_type()), empty_cpu({}, self.scalar_type()).zero_()};
  const Tensor total = used.sum(), sum = value.sum();
  return {(reduction == Reduction::Mean ? sum.div(total) : sum).to(self.scalar_type()),
          total.to(self.scalar_type())};
}

Tensor nll_loss_backward_cpu(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                             const std::optional<Tensor>& weight_, int64_t reduction, int64_t ignore_index,
                             const Tensor& total_weight) {
  const char* op = "nll_loss_backward";
  const NllSizes n(self, target, weight_, reduction, op);
  check_nll_gradient(grad_output, total_weight, n);
  const Tensor targets = target.contiguous(), weight = contiguous_or_none(weight_);
  Tensor grad = grad_output.to(kDouble).reshape({grad_output.numel()});
  if (n.output.empty() && reduction == Reduction::Mean)
    grad = grad.div(total_weight.to(kDouble).reshape({1}));
  grad = grad.expand({n.rows}).contiguous();
  Tensor result = empty_cpu(self.sizes(), self.scalar_type());
  check_targets(cpu::nll_loss_backward(self.scalar_type(), result.mutable_data_ptr(),
                                       grad.const_data_ptr<double>(), targets.const_data_ptr<int64_t>(),
                                       data_of(weight), n.rows, n.classes, ignore_index),
                n.classes, op);
  return result;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("nll_loss_forward", GB_FN(nll_loss_cpu));
  m.impl("nll_loss_backward", GB_FN(nll_loss_backward_cpu));
}

}  // namespace gb
