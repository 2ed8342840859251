// The gradients of softmax.
//
//   y = softmax(x)      d x = y * (grad - sum(grad * y)) =: B(grad, y)      so the *output* is saved, x is
//   not
//
// B is linear in grad and symmetric, so d grad of B is B again; d y of B is written out below.
#include "ops/common/record.h"
#include "ops/softmax/softmax.h"

namespace gb::autograd {
namespace {

struct SoftmaxBackward0 final : Node {
  variable_list apply(variable_list&& grads) override {
    if (!grads[0].defined() || !task_should_compute_output(0)) return {Tensor()};
    return {_softmax_backward_data(grads[0], result_.unpack(getptr()), dim_, self_dtype_)};
  }
  std::string name() const override { return "SoftmaxBackward0"; }
  void release_variables() override { result_.reset_data(); }
  std::vector<SavedField> saved() const override {
    return {{"dim", std::to_string(dim_)},
            {"result", &result_},
            {"self_dtype", std::string(toString(self_dtype_))}};
  }

  SavedVariable result_;
  int64_t dim_ = 0;
  ScalarType self_dtype_ = kFloat;
};

struct SoftmaxBackwardDataBackward0 final : Node {
  variable_list apply(variable_list&& grads) override {
    variable_list inputs(2);
    const Tensor& grad = grads[0];
    if (!grad.defined()) return inputs;
    const Tensor y = output_.unpack(getptr());
    const Tensor g = grad.scalar_type() == y.scalar_type() ? grad : grad.to(y.scalar_type());
    if (task_should_compute_output(0)) inputs[0] = _softmax_backward_data(g, y, dim_, y.scalar_type());
    if (task_should_compute_output(1)) {
      const Tensor go = grad_output_.unpack(getptr());
      const Tensor along_y = y.mul(go).sum({dim_}, true), along_g = y.mul(g).sum({dim_}, true);
      inputs[1] = go.mul(g).sub(along_y.mul(g)).sub(go.mul(along_g));
    }
    return inputs;
  }
  std::string name() const override { return "SoftmaxBackwardDataBackward0"; }
  void release_variables() override {
    grad_output_.reset_data();
    output_.reset_data();
  }
  std::vector<SavedField> saved() const override {
    return {{"dim", std::to_string(dim_)}, {"grad_output", &grad_output_}, {"output", &output_}};
  }

  SavedVariable grad_output_, output_;
  int64_t dim_ = 0;
};

Tensor softmax_autograd(DispatchKeySet ks, const Tensor& self, int64_t dim, bool half_to_float) {
  auto grad_fn = make_node<SoftmaxBackward0>(self);
  if (!grad_fn) {  // nothing to record: straight on, from this very frame
    const AutoDispatchBelowADInplaceOrView guard;
    GB_RETURN_REDISPATCH(_softmax_op(), ks & after_autograd_keyset, self, dim, half_to_float);
  }
  Tensor result = record(grad_fn, [&] {
    return _softmax_op().redispatch(ks & after_autograd_keyset, self, dim, half_to_float);
  });
  grad_fn->dim_ = dim;
  grad_fn->self_dtype_ = self.scalar_type();
  grad_fn->result_ = SavedVariable(result, true);
  return result;
}

Tensor softmax_backward_autograd(DispatchKeySet ks, const Tensor& grad_output, const Tensor& output,
                                 int64_t dim, ScalarType input_dtype) {
  auto grad_fn = make_node<SoftmaxBackwardDataBackward0>(grad_output, output);
  if (grad_fn) {
    grad_fn->dim_ = dim;
    grad_fn->output_ = SavedVariable(output, false);
    if (grad_fn->should_compute_output(1)) grad_fn->grad_output_ = SavedVariable(grad_output, false);
  }
  return record(grad_fn, [&] {
    return _softmax_backward_data_op().redispatch(ks & after_autograd_keyset, grad_output, output, dim,
                                                  input_dtype);
  });
}

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("_softmax", GB_FN(softmax_autograd));
  m.impl("_softmax_backward_data", GB_FN(softmax_backward_autograd));
}

}  // namespace gb::autograd
