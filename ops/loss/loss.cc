#include "ops/loss/loss.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("mse_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor");
  m.def("mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor");
  m.def(
      "nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt "
      "ignore_index=-100) -> "
      "Tensor");
  m.def(
      "nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt "
      "ignore_index=-100) -> "
      "Tensor");
  m.def(
      "nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> "
      "(Tensor "
      "output, Tensor total_weight)");
  m.def(
      "nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, "
      "SymInt "
      "ignore_index, Tensor total_weight) -> Tensor");
  m.def(
      "cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt "
      "ignore_index=-100, float label_smoothing=0.0) -> Tensor");
}

Tensor mse_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  GB_RETURN_CALL(mse_loss_op(), self, target, reduction);
}
Tensor mse_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                         int64_t reduction) {
  GB_RETURN_CALL(mse_loss_backward_op(), grad_output, self, target, reduction);
}
Tensor nll_loss(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                int64_t reduction, int64_t ignore_index) {
  GB_RETURN_CALL(nll_loss_op(), self, target, weight, reduction, ignore_index);
}
Tensor nll_loss_nd(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                   int64_t reduction, int64_t ignore_index) {
  GB_RETURN_CALL(nll_loss_nd_op(), self, target, weight, reduction, ignore_index);
}
std::tuple<Tensor, Tensor> nll_loss_forward(const Tensor& self, const Tensor& target,
                                            const std::optional<Tensor>& weight, int64_t reduction,
                                            int64_t ignore_index) {
  return nll_loss_forward_op().call(self, target, weight, reduction, ignore_index);
}
Tensor nll_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                         const std::optional<Tensor>& weight, int64_t reduction, int64_t ignore_index,
                         const Tensor& total_weight) {
  GB_RETURN_CALL(nll_loss_backward_op(), grad_output, self, target, weight, reduction, ignore_index,
                 total_weight);
}
Tensor cross_entropy_loss(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                          int64_t reduction, int64_t ignore_index, double label_smoothing) {
  GB_RETURN_CALL(cross_entropy_loss_op(), self, target, weight, reduction, ignore_index, label_smoothing);
}

}  // namespace gb
