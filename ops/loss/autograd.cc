// The gradients of the losses, and theirs.
//
//   mse_loss            d self = 2 (self - target) * grad, over the number of elements for the mean; d target mirrored
//   mse_loss_backward   linear in grad_output; d self = 2 * grad * grad_output, d target = -that
//   nll_loss_forward    -weight[t] * grad at each row's target, 0 elsewhere
//   nll_loss_backward   linear in grad_output, so d grad_output is nll_loss of the gradient; self is read for its sizes only
//
// Targets of classes have no gradient, as in PyTorch; a weight that requires grad is refused.
#include "ops/common/derivative.h"
#include "ops/factories/factories.h"
#include "ops/loss/loss.h"

namespace gb::autograd {
namespace {

struct MseLossBackward0 final : FormulaNode<MseLossBackward0> {
  Tensor d_self(const Tensor& grad) {
    return mse_loss_backward(grad, unpack(self_), unpack(target_), reduction_);
  }
  Tensor d_target(const Tensor& grad) {
    return mse_loss_backward(grad, unpack(target_), unpack(self_), reduction_);
  }
  static auto gradients() { return std::tuple{&MseLossBackward0::d_self, &MseLossBackward0::d_target}; }
  static auto fields() {
    return std::tuple{field("reduction", &MseLossBackward0::reduction_),
                      field("self", &MseLossBackward0::self_), field("target", &MseLossBackward0::target_)};
  }
  void save(const Tensor& self, const Tensor& target, int64_t reduction) {
    self_ = saved_input(self), target_ = saved_input(target);
    reduction_ = reduction;
  }
  SavedVariable self_, target_;
  int64_t reduction_ = 0;
};

struct MseLossBackwardBackward0 final : FormulaNode<MseLossBackwardBackward0> {
  Tensor d_grad_output(const Tensor& grad) {
    return mse_loss_backward(grad, unpack(self_), unpack(target_), reduction_);
  }
  Tensor d_self(const Tensor& grad) {
    const Tensor twice = grad.mul(unpack(grad_output_)).mul(2);
    return reduction_ == Reduction::Mean ? twice.div(grad.numel()) : twice;
  }
  Tensor d_target(const Tensor& grad) { return d_self(grad).neg(); }
  static auto gradients() {
    return std::tuple{&MseLossBackwardBackward0::d_grad_output, &MseLossBackwardBackward0::d_self,
                      &MseLossBackwardBackward0::d_target};
  }
  static auto fields() {
    return std::tuple{field("grad_output", &MseLossBackwardBackward0::grad_output_),
                      field("reduction", &MseLossBackwardBackward0::reduction_),
                      field("self", &MseLossBackwardBackward0::self_),
                      field("target", &MseLossBackwardBackward0::target_)};
  }
  void save(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction) {
    grad_output_ = saved_input(grad_output), self_ = saved_input(self), target_ = saved_input(target);
    reduction_ = reduction;
  }
  SavedVariable grad_output_, self_, target_;
  int64_t reduction_ = 0;
};

// What the two nodes of nll_loss keep.
template <class Derived>
struct SavesTargets : FormulaNode<Derived> {
  void save_targets(const Tensor& target, const std::optional<Tensor>& weight, int64_t reduction,
                    int64_t ignore_index) {
    if (weight) weight_ = this->saved_input(*weight);
    target_ = this->saved_input(target);
    reduction_ = reduction, ignore_index_ = ignore_index;
  }
  std::optional<Tensor> weight() {
    const Tensor weight = this->unpack(weight_);
    return weight.defined() ? std::optional(weight) : std::nullopt;
  }
  SavedVariable target_, weight_;
  int64_t reduction_ = 0, ignore_index_ = 0;
};

struct NllLossBackward0 final : SavesTargets<NllLossBackward0> {
  using Differentiable = Arguments<0>;
  using NotDifferentiable = Arguments<2>;  // weight
  using Outputs = Arguments<0>;
  Tensor d_self(const Tensor& grad) {
    return nll_loss_backward(grad, unpack(self_), unpack(target_), weight(), reduction_, ignore_index_,
                             unpack(total_weight_));
  }
  static auto gradients() { return std::tuple{&NllLossBackward0::d_self}; }
  static auto fields() {
    return std::tuple{field("ignore_index", &NllLossBackward0::ignore_index_),
                      field("reduction", &NllLossBackward0::reduction_),
                      field("self", &NllLossBackward0::self_),
                      field("target", &NllLossBackward0::target_),
                      field("weight", &NllLossBackward0::weight_),
                      field("total_weight", &NllLossBackward0::total_weight_)};
  }
  void save(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight, int64_t reduction,
            int64_t ignore_index) {
    save_targets(target, weight, reduction, ignore_index);
    self_ = saved_input(self);
  }
  void save_result(const Tensor&, const Tensor& total_weight) {
    total_weight_ = saved_input(total_weight);
  }  // no history
  SavedVariable self_, total_weight_;
};

struct NllLossBackwardBackward0 final : SavesTargets<NllLossBackwardBackward0> {
  using Differentiable = Arguments<0, 1>;
  using NotDifferentiable = Arguments<3, 6>;  // weight, total_weight
  Tensor d_grad_output(const Tensor& grad) {
    return nll_loss(grad, unpack(target_), weight(), reduction_, ignore_index_);
  }
  Tensor d_self(const Tensor& grad) { return zeros_like(grad); }
  static auto gradients() {
    return std::tuple{&NllLossBackwardBackward0::d_grad_output, &NllLossBackwardBackward0::d_self};
  }
  static auto fields() {
    return std::tuple{field("ignore_index", &NllLossBackwardBackward0::ignore_index_),
                      field("reduction", &NllLossBackwardBackward0::reduction_),
                      field("target", &NllLossBackwardBackward0::target_),
                      field("weight", &NllLossBackwardBackward0::weight_)};
  }
  void save(const Tensor&, const Tensor&, const Tensor& target, const std::optional<Tensor>& weight,
            int64_t reduction, int64_t ignore_index, const Tensor&) {
    save_targets(target, weight, reduction, ignore_index);
  }
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("mse_loss", recorded<MseLossBackward0, &mse_loss_op>);
  m.impl("mse_loss_backward", recorded<MseLossBackwardBackward0, &mse_loss_backward_op>);
  m.impl("nll_loss_forward", recorded<NllLossBackward0, &nll_loss_forward_op>);
  m.impl("nll_loss_backward", recorded<NllLossBackwardBackward0, &nll_loss_backward_op>);
}

}  // namespace gb::autograd
