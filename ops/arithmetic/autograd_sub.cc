// The gradient of sub.
//
//   out = self - alpha * other      d self = grad       d other = -alpha * grad
//
// Gradients leave here in the shape and dtype of the result; where an operand was broadcast or promoted, the
// engine sums them down and converts them (Engine: validate_outputs), as PyTorch's does.
#include "ops/arithmetic/arithmetic.h"
#include "ops/common/record.h"

namespace gb::autograd {
namespace {

// alpha is 1 nearly always: then the gradient passes through as it is.
Tensor scaled(const Tensor& grad, const Scalar& factor) { return factor.equal(1) ? grad : grad.mul(factor); }

struct SubBackward0 final : Node {
  variable_list apply(variable_list&& grads) override {
    const Tensor& grad = grads[0];
    variable_list inputs(2);
    if (!grad.defined()) return inputs;
    if (task_should_compute_output(0)) inputs[0] = grad;
    if (task_should_compute_output(1)) inputs[1] = scaled(grad, -alpha_);
    return inputs;
  }
  std::string name() const override { return "SubBackward0"; }
  std::vector<SavedField> saved() const override { return {{"alpha", to_string(alpha_)}}; }

  Scalar alpha_;
};

// sub.Scalar: the number has no gradient.
struct SubBackward1 final : Node {
  variable_list apply(variable_list&& grads) override { return {grads[0]}; }
  std::string name() const override { return "SubBackward1"; }
};

Tensor sub_autograd(DispatchKeySet ks, const Tensor& self, const Tensor& other, const Scalar& alpha) {
  auto grad_fn = make_node<SubBackward0>(self, other);
  if (grad_fn) grad_fn->alpha_ = alpha;
  return record(grad_fn, [&] { return sub_op().redispatch(ks & after_autograd_keyset, self, other, alpha); });
}

Tensor& sub__autograd(DispatchKeySet ks, Tensor& self, const Tensor& other, const Scalar& alpha) {
  check_inplace(self, "sub_", compute_requires_grad(self, other));
  auto grad_fn = make_node<SubBackward0>(self, other);
  if (grad_fn) grad_fn->alpha_ = alpha;
  return record_inplace(self, grad_fn,
                        [&] { sub__op().redispatch(ks & after_autograd_keyset, self, other, alpha); });
}

Tensor sub_scalar_autograd(DispatchKeySet ks, const Tensor& self, const Scalar& other, const Scalar& alpha) {
  return record(make_node<SubBackward1>(self),
                [&] { return sub_scalar_op().redispatch(ks & after_autograd_keyset, self, other, alpha); });
}

Tensor& sub__scalar_autograd(DispatchKeySet ks, Tensor& self, const Scalar& other, const Scalar& alpha) {
  check_inplace(self, "sub_");
  return record_inplace(self, make_node<SubBackward1>(self),
                        [&] { sub__scalar_op().redispatch(ks & after_autograd_keyset, self, other, alpha); });
}

Tensor& sub__version(DispatchKeySet ks, Tensor& self, const Tensor& other, const Scalar& alpha) {
  return bump_version_after(
      self, [&] { sub__op().redispatch(ks & after_ADInplaceOrView_keyset, self, other, alpha); });
}

Tensor& sub__scalar_version(DispatchKeySet ks, Tensor& self, const Scalar& other, const Scalar& alpha) {
  return bump_version_after(
      self, [&] { sub__scalar_op().redispatch(ks & after_ADInplaceOrView_keyset, self, other, alpha); });
}

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("sub.Tensor", GB_FN(sub_autograd));
  m.impl("sub_.Tensor", GB_FN(sub__autograd));
  m.impl("sub.Scalar", GB_FN(sub_scalar_autograd));
  m.impl("sub_.Scalar", GB_FN(sub__scalar_autograd));
}

GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("sub_.Tensor", GB_FN(sub__version));
  m.impl("sub_.Scalar", GB_FN(sub__scalar_version));
}

}  // namespace gb::autograd
