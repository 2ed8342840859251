// The gradients of the LM head. A first derivative is one operator, which on CUDA is one pass over memory. With
// create_graph (grad mode is on while the node runs) the same formula is made of recorded operators:
//
//   linear_softmax          dz = B(grad, p), softmax's own backward, with the saved p
//   linear_cross_entropy    dz = L(nll_backward(grad), log_softmax(z)), with z = linear(input, weight, bias) made again
//                           d input = dz W, d weight = dz^T input, d bias = sum dz
#include "ops/common/derivative.h"
#include "ops/lm_head/composite.h"
#include "ops/lm_head/lm_head.h"
#include "ops/softmax/softmax.h"

namespace gb::autograd {
namespace {

variable_list as_list(std::tuple<Tensor, Tensor, Tensor> gradients) {
  return {std::get<0>(gradients), std::get<1>(gradients), std::get<2>(gradients)};
}

struct LinearSoftmaxBackward0 final : FieldsNode<LinearSoftmaxBackward0> {
  variable_list apply(variable_list&& grads) override {
    if (!grads[0].defined()) return variable_list(3);
    const auto backward = GradMode::is_enabled() ? composite::linear_softmax_backward : _linear_softmax_backward;
    return as_list(backward(
        grads[0], unpack(result_), unpack(input_), unpack(weight_),
        {task_should_compute_output(0), task_should_compute_output(1), task_should_compute_output(2)}));
  }
  static auto fields() {
    using Self = LinearSoftmaxBackward0;
    return std::tuple{field("input", &Self::input_), field("result", &Self::result_), field("weight", &Self::weight_)};
  }
  void save(const Tensor& input, const Tensor& weight, const std::optional<Tensor>&) {
    input_ = saved_input(input), weight_ = saved_input(weight);
  }
  void save_result(const Tensor& result) { result_ = saved_result(result); }
  SavedVariable input_, result_, weight_;
};

struct LinearCrossEntropyBackward0 final : FieldsNode<LinearCrossEntropyBackward0> {
  using Differentiable = Arguments<0, 1, 3>;
  using Outputs = Arguments<0>;
  variable_list apply(variable_list&& grads) override {
    if (!grads[0].defined()) return variable_list(3);
    const Tensor input = unpack(input_), weight = unpack(weight_), target = unpack(target_), bias = unpack(bias_);
    const std::array<bool, 3> wanted{task_should_compute_output(0), task_should_compute_output(1),
                                     task_should_compute_output(2)};
    const std::optional<Tensor> its_bias = bias.defined() ? std::optional(bias) : std::nullopt;
    if (!GradMode::is_enabled())
      return as_list(_linear_cross_entropy_backward(grads[0], input, weight, target, its_bias, ignore_index_,
                                                    unpack(logsumexp_), unpack(total_weight_), wanted));
    const Tensor log_probabilities = log_softmax(composite::logits(input, weight, its_bias), 1);
    return as_list(composite::linear_cross_entropy_backward(grads[0], log_probabilities, input, weight, target,
                                                            ignore_index_, unpack(total_weight_), wanted));
  }
  static auto fields() {
    using Self = LinearCrossEntropyBackward0;
    return std::tuple{field("bias", &Self::bias_),           field("ignore_index", &Self::ignore_index_),
                      field("input", &Self::input_),         field("logsumexp", &Self::logsumexp_),
                      field("target", &Self::target_),       field("total_weight", &Self::total_weight_),
                      field("weight", &Self::weight_)};
  }
  void save(const Tensor& input, const Tensor& weight, const Tensor& target, const std::optional<Tensor>& bias,
            int64_t ignore_index) {
    input_ = saved_input(input), weight_ = saved_input(weight), target_ = saved_input(target);
    if (bias && bias->defined()) bias_ = saved_input(*bias);
    ignore_index_ = ignore_index;
  }
  void save_result(const Tensor&, const Tensor& logsumexp, const Tensor& total_weight) {  // these have no history
    logsumexp_ = saved_input(logsumexp), total_weight_ = saved_input(total_weight);
  }
  SavedVariable bias_, input_, logsumexp_, target_, total_weight_, weight_;
  int64_t ignore_index_ = 0;
};

}  // namespace

GB_LIBRARY_IMPL(glassbox, Autograd, m) {
  m.impl("linear_softmax", recorded<LinearSoftmaxBackward0, &linear_softmax_op>);
  m.impl("_linear_cross_entropy", recorded<LinearCrossEntropyBackward0, &_linear_cross_entropy_op>);
}

}  // namespace gb::autograd
