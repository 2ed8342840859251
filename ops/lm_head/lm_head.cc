#include "ops/lm_head/lm_head.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(glassbox, m) {
  m.def("linear_softmax(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor");
  m.def("_linear_softmax_backward(Tensor grad_output, Tensor output, Tensor input, Tensor weight, bool[3] output_mask) "
        "-> (Tensor, Tensor, Tensor)");
  m.def("linear_cross_entropy(Tensor input, Tensor weight, Tensor target, Tensor? bias=None, int ignore_index=-100) -> "
        "Tensor");
  m.def("_linear_cross_entropy(Tensor input, Tensor weight, Tensor target, Tensor? bias, int ignore_index) -> (Tensor "
        "loss, Tensor logsumexp, Tensor total_weight)");
  m.def("_linear_cross_entropy_backward(Tensor grad_output, Tensor input, Tensor weight, Tensor target, Tensor? bias, "
        "int ignore_index, Tensor logsumexp, Tensor total_weight, bool[3] output_mask) -> (Tensor, Tensor, Tensor)");
}

Tensor linear_softmax(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) {
  GB_RETURN_CALL(linear_softmax_op(), input, weight, bias);
}
Tensor linear_cross_entropy(const Tensor& input, const Tensor& weight, const Tensor& target,
                            const std::optional<Tensor>& bias, int64_t ignore_index) {
  GB_RETURN_CALL(linear_cross_entropy_op(), input, weight, target, bias, ignore_index);
}
std::tuple<Tensor, Tensor, Tensor> _linear_softmax_backward(const Tensor& grad_output, const Tensor& output,
                                                            const Tensor& input, const Tensor& weight,
                                                            std::array<bool, 3> output_mask) {
  GB_RETURN_CALL(_linear_softmax_backward_op(), grad_output, output, input, weight, output_mask);
}
std::tuple<Tensor, Tensor, Tensor> _linear_cross_entropy(const Tensor& input, const Tensor& weight,
                                                         const Tensor& target, const std::optional<Tensor>& bias,
                                                         int64_t ignore_index) {
  GB_RETURN_CALL(_linear_cross_entropy_op(), input, weight, target, bias, ignore_index);
}
std::tuple<Tensor, Tensor, Tensor> _linear_cross_entropy_backward(
    const Tensor& grad_output, const Tensor& input, const Tensor& weight, const Tensor& target,
    const std::optional<Tensor>& bias, int64_t ignore_index, const Tensor& logsumexp, const Tensor& total_weight,
    std::array<bool, 3> output_mask) {
  GB_RETURN_CALL(_linear_cross_entropy_backward_op(), grad_output, input, weight, target, bias, ignore_index, logsumexp,
                 total_weight, output_mask);
}

namespace {

Tensor linear_cross_entropy_composite(const Tensor& input, const Tensor& weight, const Tensor& target,
                                      const std::optional<Tensor>& bias, int64_t ignore_index) {
  return std::get<0>(_linear_cross_entropy(input, weight, target, bias, ignore_index));
}

}  // namespace

GB_LIBRARY_IMPL(glassbox, CompositeImplicitAutograd, m) {
  m.impl("linear_cross_entropy", GB_FN(linear_cross_entropy_composite));
}

}  // namespace gb
