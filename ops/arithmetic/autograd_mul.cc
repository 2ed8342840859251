// The gradient of mul.
//
//   out = self * other      d self = grad * other      d other = grad * self
//
// So each operand is saved only where the other one's gradient is wanted.
// In place, self is about to be overwritten: a clone of it is saved instead.
// Shapes and dtypes: as in autograd_add.cc, the engine undoes broadcasting and promotion.
#include "ops/arithmetic/arithmetic.h"
#include "ops/common/record.h"

namespace gb::autograd {
namespace {

struct MulBackward0 final : Node {
  variable_list apply(variable_list&& grads) override {
    const Tensor& grad = grads[0];
    variable_list inputs(2);
    if (!grad.defined()) return inputs;
    if (task_should_compute_output(0)) inputs[0] = grad.mul(other_.unpack());
    if (task_should_compute_output(1)) inputs[1] = grad.mul(self_.unpack());
    return inputs;
  }
  std::string name() const override { return "MulBackward0"; }
  void release_variables() override {
    self_.reset_data();
    other_.reset_data();
  }
  std::vector<SavedField> saved() const override { return {{"other", &other_}, {"self", &self_}}; }

  SavedVariable self_, other_;
};

// mul.Scalar: the number has no gradient.
struct MulBackward1 final : Node {
  variable_list apply(variable_list&& grads) override {
    if (!grads[0].defined()) return {Tensor()};
    return {grads[0].mul(other_)};
  }
  std::string name() const override { return "MulBackward1"; }
  std::vector<SavedField> saved() const override { return {{"other", to_string(other_)}}; }

  Scalar other_;
};

Tensor mul_autograd(DispatchKeySet ks, const Tensor& self, const Tensor& other) {
  auto grad_fn = make_node<MulBackward0>(self, other);
  if (grad_fn) {
    if (grad_fn->should_compute_output(0)) grad_fn->other_ = SavedVariable(other, false);
    if (grad_fn->should_compute_output(1)) grad_fn->self_ = SavedVariable(self, false);
  }
  return record(grad_fn, [&] { return mul_op().redispatch(ks & after_autograd_keyset, self, other); });
}

Tensor& mul__autograd(DispatchKeySet ks, Tensor& self, const Tensor& other) {
  check_inplace(self, "mul_", compute_requires_grad(self, other));
  auto grad_fn = make_node<MulBackward0>(self, other);
  if (grad_fn) {
    if (grad_fn->should_compute_output(0)) grad_fn->other_ = SavedVariable(other, false);
    if (grad_fn->should_compute_output(1)) grad_fn->self_ = SavedVariable(self.clone(), false);
  }
  return record_inplace(self, grad_fn,
                        [&] { mul__op().redispatch(ks & after_autograd_keyset, self, other); });
}

Tensor mul_scalar_autograd(DispatchKeySet ks, const Tensor& self, const Scalar& other) {
  auto grad_fn = make_node<MulBackward1>(self);
  if (grad_fn) grad_fn->other_ = other;
  return record(grad_fn, [&] { return mul_scalar_op().redispatch(ks & after_autograd_keyset, self, other); });
}

Tensor& mul__scalar_autograd(DispatchKeySet ks, Tensor& self, const Scalar& other) {
  check_inplace(self, "mul_");
  auto grad_fn = make_node<MulBackward1>(self);
  if (grad_fn) grad_fn->other_ = other;
  return record_inplace(self, grad_fn,
                        [&] { mul__scalar_op().redispatch(ks & after_autograd_keyset, self, other); });
}

Tensor& mul__version(DispatchKeySet ks, Tensor& self, const Tensor& other) {
  return bump_version_after(self,
                            [&] { mul__op().redispatch(ks & after_ADInplaceOrView_keyset, self, other); });
}

Tensor& mul__scalar_version(DispatchKeySet ks, Tensor& self, const Scalar& other) {
  return bump_version_after(
      self, [&] { mul__scalar_op().redispatch(ks & after_ADInplaceOrView_keyset, self, other); });
}

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("mul.Tensor", GB_FN(mul_autograd));
  m.impl("mul_.Tensor", GB_FN(mul__autograd));
  m.impl("mul.Scalar", GB_FN(mul_scalar_autograd));
  m.impl("mul_.Scalar", GB_FN(mul__scalar_autograd));
}

GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("mul_.Tensor", GB_FN(mul__version));
  m.impl("mul_.Scalar", GB_FN(mul__scalar_version));
}

}  // namespace gb::autograd
