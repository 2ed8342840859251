// nll_loss and its backward on a GPU, as cpu.cc has them: what is summed or divided is so in double, and rounded
// once. Targets are checked by a kernel of their own, whose answer the host waits for.
#include "dispatcher/library.h"
#include "kernels/cuda/index/index.h"
#include "kernels/cuda/loss/nll_loss.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/common/empty.h"
#include "ops/gather/cuda_indices.h"
#include "ops/loss/checks.h"
#include "ops/loss/loss.h"

namespace gb {
namespace {

const void* data_of(const Tensor& t) { return t.defined() ? t.const_data_ptr() : nullptr; }

Tensor contiguous_or_none(const std::optional<Tensor>& weight) {
  return weight && weight->defined() ? weight->contiguous() : Tensor();
}

// targets: contiguous.
void check_targets(const Tensor& targets, const NllSizes& n, int64_t ignore_index, const char* op) {
  if (n.rows == 0) return;
  const cpu::BadIndex bad = bad_index_from_gpu(targets.device(), [&](cpu::BadIndex* answer) {
    cuda::find_bad_target(answer, targets.const_data_ptr<int64_t>(), n.rows, n.classes, ignore_index,
                          cuda::current_stream());
  });
  if (bad) throw_bad_target(bad.value, bad.position, n.classes, op);
}

std::tuple<Tensor, Tensor> nll_loss_cuda(const Tensor& self, const Tensor& target,
                                        const std::optional<Tensor>& weight_, int64_t reduction,
                                        int64_t ignore_index) {
  const char* op = "nll_loss_forward";
  const NllSizes n(self, target, weight_, reduction, op);
  const cuda::DeviceGuard guard(self.device());
  const Tensor input = self.contiguous(), targets = target.contiguous(), weight = contiguous_or_none(weight_);
  Tensor value = empty_on(self.device(), {n.rows}, kDouble), used = empty_on(self.device(), {n.rows}, kDouble);
  check_targets(targets, n, ignore_index, op);
  cuda::nll_loss(self.scalar_type(), value.data_ptr<double>(), used.data_ptr<double>(), input.const_data_ptr(),
                 targets.const_data_ptr<int64_t>(), data_of(weight), n.rows, n.classes, ignore_index,
                 cuda::current_stream());
  if (!n.output.empty()) return {value.to(self.scalar_type()), empty_on(self.device(), {}, self.scalar_type()).zero_()};
  const Tensor total = used.sum(), sum = value.sum();
  return {(reduction == Reduction::Mean ? sum.div(total) : sum).to(self.scalar_type()),
          total.to(self.scalar_type())};
}

Tensor nll_loss_backward_cuda(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                             const std::optional<Tensor>& weight_, int64_t reduction, int64_t ignore_index,
                             const Tensor& total_weight) {
  const char* op = "nll_loss_backward";
  const NllSizes n(self, target, weight_, reduction, op);
  check_nll_gradient(grad_output, total_weight, n);
  const cuda::DeviceGuard guard(self.device());
  const Tensor targets = target.contiguous(), weight = contiguous_or_none(weight_);
  check_targets(targets, n, ignore_index, op);
  Tensor grad = grad_output.to(kDouble).reshape({grad_output.numel()});
  if (n.output.empty() && reduction == Reduction::Mean)
    grad = grad.div(total_weight.to(kDouble).reshape({1}));
  grad = grad.expand({n.rows}).contiguous();
  Tensor result = empty_on(self.device(), self.sizes(), self.scalar_type());
  cuda::nll_loss_backward(self.scalar_type(), result.mutable_data_ptr(), grad.const_data_ptr<double>(),
                          targets.const_data_ptr<int64_t>(), data_of(weight), n.rows, n.classes, ignore_index,
                          cuda::current_stream());
  return result;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("nll_loss_forward", GB_FN(nll_loss_cuda));
  m.impl("nll_loss_backward", GB_FN(nll_loss_backward_cuda));
}

}  // namespace gb
