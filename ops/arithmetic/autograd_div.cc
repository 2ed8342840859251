// The gradient of div.
//
//   out = self / other      d self = grad / other      d other = -grad * (self / other) / other
//
// So other is saved always, self only where other's gradient is wanted.
// In place, self is about to be overwritten: a clone of it is saved instead.
// Shapes and dtypes: as in autograd_add.cc, the engine undoes broadcasting and promotion.
#include "ops/arithmetic/arithmetic.h"
#include "ops/common/record.h"

namespace gb::autograd {
namespace {

struct DivBackward0 final : Node {
  variable_list apply(variable_list&& grads) override {
    const Tensor& grad = grads[0];
    variable_list inputs(2);
    if (!grad.defined()) return inputs;
    const Tensor other = other_.unpack();
    if (task_should_compute_output(0)) inputs[0] = grad.div(other);
    if (task_should_compute_output(1)) inputs[1] = grad.neg().mul(self_.unpack().div(other).div(other));
    return inputs;
  }
  std::string name() const override { return "DivBackward0"; }
  void release_variables() override {
    self_.reset_data();
    other_.reset_data();
  }
  std::vector<SavedField> saved() const override { return {{"other", &other_}, {"self", &self_}}; }

  SavedVariable self_, other_;
};

// div.Scalar: the number has no gradient.
struct DivBackward1 final : Node {
  variable_list apply(variable_list&& grads) override {
    if (!grads[0].defined()) return {Tensor()};
    return {grads[0].div(other_)};
  }
  std::string name() const override { return "DivBackward1"; }
  std::vector<SavedField> saved() const override { return {{"other", to_string(other_)}}; }

  Scalar other_;
};

Tensor div_autograd(DispatchKeySet ks, const Tensor& self, const Tensor& other) {
  auto grad_fn = make_node<DivBackward0>(self, other);
  if (grad_fn) {
    grad_fn->other_ = SavedVariable(other, false);
    if (grad_fn->should_compute_output(1)) grad_fn->self_ = SavedVariable(self, false);
  }
  return record(grad_fn, [&] { return div_op().redispatch(ks & after_autograd_keyset, self, other); });
}

Tensor& div__autograd(DispatchKeySet ks, Tensor& self, const Tensor& other) {
  check_inplace(self, "div_", compute_requires_grad(self, other));
  auto grad_fn = make_node<DivBackward0>(self, other);
  if (grad_fn) {
    grad_fn->other_ = SavedVariable(other, false);
    if (grad_fn->should_compute_output(1)) grad_fn->self_ = SavedVariable(self.clone(), false);
  }
  return record_inplace(self, grad_fn,
                        [&] { div__op().redispatch(ks & after_autograd_keyset, self, other); });
}

Tensor div_scalar_autograd(DispatchKeySet ks, const Tensor& self, const Scalar& other) {
  auto grad_fn = make_node<DivBackward1>(self);
  if (grad_fn) grad_fn->other_ = other;
  return record(grad_fn, [&] { return div_scalar_op().redispatch(ks & after_autograd_keyset, self, other); });
}

Tensor& div__scalar_autograd(DispatchKeySet ks, Tensor& self, const Scalar& other) {
  check_inplace(self, "div_");
  auto grad_fn = make_node<DivBackward1>(self);
  if (grad_fn) grad_fn->other_ = other;
  return record_inplace(self, grad_fn,
                        [&] { div__scalar_op().redispatch(ks & after_autograd_keyset, self, other); });
}

Tensor& div__version(DispatchKeySet ks, Tensor& self, const Tensor& other) {
  return bump_version_after(self,
                            [&] { div__op().redispatch(ks & after_ADInplaceOrView_keyset, self, other); });
}

Tensor& div__scalar_version(DispatchKeySet ks, Tensor& self, const Scalar& other) {
  return bump_version_after(
      self, [&] { div__scalar_op().redispatch(ks & after_ADInplaceOrView_keyset, self, other); });
}

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("div.Tensor", GB_FN(div_autograd));
  m.impl("div_.Tensor", GB_FN(div__autograd));
  m.impl("div.Scalar", GB_FN(div_scalar_autograd));
  m.impl("div_.Scalar", GB_FN(div__scalar_autograd));
}

GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("div_.Tensor", GB_FN(div__version));
  m.impl("div_.Scalar", GB_FN(div__scalar_version));
}

}  // namespace gb::autograd
