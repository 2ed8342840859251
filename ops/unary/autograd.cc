// The gradients of neg, exp and log.
//
//   neg    d self = -grad
//   exp    d self = grad * result      saves its own output: that is the derivative already
//   log    d self = grad / self
#include "ops/common/record.h"
#include "ops/unary/unary.h"

namespace gb::autograd {
namespace {

struct NegBackward0 final : Node {
  variable_list apply(variable_list&& grads) override {
    return {grads[0].defined() ? grads[0].neg() : Tensor()};
  }
  std::string name() const override { return "NegBackward0"; }
};

struct ExpBackward0 final : Node {
  variable_list apply(variable_list&& grads) override {
    return {grads[0].defined() ? grads[0].mul(result_.unpack(getptr())) : Tensor()};
  }
  std::string name() const override { return "ExpBackward0"; }
  void release_variables() override { result_.reset_data(); }
  std::vector<SavedField> saved() const override { return {{"result", &result_}}; }

  SavedVariable result_;
};

struct LogBackward0 final : Node {
  variable_list apply(variable_list&& grads) override {
    return {grads[0].defined() ? grads[0].div(self_.unpack()) : Tensor()};
  }
  std::string name() const override { return "LogBackward0"; }
  void release_variables() override { self_.reset_data(); }
  std::vector<SavedField> saved() const override { return {{"self", &self_}}; }

  SavedVariable self_;
};

Tensor neg_autograd(DispatchKeySet ks, const Tensor& self) {
  return record(make_node<NegBackward0>(self),
                [&] { return neg_op().redispatch(ks & after_autograd_keyset, self); });
}

Tensor exp_autograd(DispatchKeySet ks, const Tensor& self) {
  auto grad_fn = make_node<ExpBackward0>(self);
  Tensor result = record(grad_fn, [&] { return exp_op().redispatch(ks & after_autograd_keyset, self); });
  if (grad_fn) grad_fn->result_ = SavedVariable(result, /*is_output=*/true);
  return result;
}

Tensor log_autograd(DispatchKeySet ks, const Tensor& self) {
  auto grad_fn = make_node<LogBackward0>(self);
  if (grad_fn) grad_fn->self_ = SavedVariable(self, /*is_output=*/false);
  return record(grad_fn, [&] { return log_op().redispatch(ks & after_autograd_keyset, self); });
}

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("neg", GB_FN(neg_autograd));
  m.impl("exp", GB_FN(exp_autograd));
  m.impl("log", GB_FN(log_autograd));
}

}  // namespace gb::autograd
