// Losses: one number for how far a prediction is from its target, or one per row or element
// (Reduction::None).
//
//   mse_loss             (self - target)^2
//   nll_loss             -weight[t] * self[t], t = target of the row; self has log-probabilities [rows,
//   classes] or [classes] cross_entropy_loss   nll_loss of log_softmax(self); or, where target has self's
//   sizes, of class probabilities
//
// The mean of nll_loss is weighted: divided by the sum of the weights used. Rows whose target is ignore_index
// count as nothing, so a mean over none is NaN. Targets are int64; one that is no class is an IndexError,
// found before anything is written. Names follow ATen/native/Loss.cpp, LossNLL.cpp. Limits: nll_loss has no
// dimensions behind the classes (nll_loss2d).
#pragma once

#include <tuple>

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

namespace Reduction {
enum Reduction : int64_t { None, Mean, Sum };
}

Tensor mse_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean);
Tensor mse_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                         int64_t reduction);

Tensor nll_loss(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {},
                int64_t reduction = Reduction::Mean, int64_t ignore_index = -100);
// self [rows, classes, ...]: checks the rows and calls nll_loss.
Tensor nll_loss_nd(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {},
                   int64_t reduction = Reduction::Mean, int64_t ignore_index = -100);
// The loss, and the sum of the weights used (0 for Reduction::None).
std::tuple<Tensor, Tensor> nll_loss_forward(const Tensor& self, const Tensor& target,
                                            const std::optional<Tensor>& weight, int64_t reduction,
                                            int64_t ignore_index);
Tensor nll_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                         const std::optional<Tensor>& weight, int64_t reduction, int64_t ignore_index,
                         const Tensor& total_weight);
// label_smoothing in [0, 1]: that part of the target is spread evenly over all classes.
Tensor cross_entropy_loss(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {},
                          int64_t reduction = Reduction::Mean, int64_t ignore_index = -100,
                          double label_smoothing = 0.0);

using MseLossOp = Tensor(const Tensor&, const Tensor&, int64_t);
using MseLossBackwardOp = Tensor(const Tensor&, const Tensor&, const Tensor&, int64_t);
using NllLossOp = Tensor(const Tensor&, const Tensor&, const std::optional<Tensor>&, int64_t, int64_t);
using NllLossForwardOp = std::tuple<Tensor, Tensor>(const Tensor&, const Tensor&,
                                                    const std::optional<Tensor>&, int64_t, int64_t);
using NllLossBackwardOp = Tensor(const Tensor&, const Tensor&, const Tensor&, const std::optional<Tensor>&,
                                 int64_t, int64_t, const Tensor&);
using CrossEntropyOp = Tensor(const Tensor&, const Tensor&, const std::optional<Tensor>&, int64_t, int64_t,
                              double);
inline const auto& mse_loss_op() { return operator_of<"aten::mse_loss", MseLossOp>(); }
inline const auto& mse_loss_backward_op() {
  return operator_of<"aten::mse_loss_backward", MseLossBackwardOp>();
}
inline const auto& nll_loss_op() { return operator_of<"aten::nll_loss", NllLossOp>(); }
inline const auto& nll_loss_nd_op() { return operator_of<"aten::nll_loss_nd", NllLossOp>(); }
inline const auto& nll_loss_forward_op() { return operator_of<"aten::nll_loss_forward", NllLossForwardOp>(); }
inline const auto& nll_loss_backward_op() {
  return operator_of<"aten::nll_loss_backward", NllLossBackwardOp>();
}
inline const auto& cross_entropy_loss_op() {
  return operator_of<"aten::cross_entropy_loss", CrossEntropyOp>();
}

}  // namespace gb
