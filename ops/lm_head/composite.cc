#include "ops/lm_head/composite.h"

#include "dispatcher/library.h"
#include "ops/lm_head/checks.h"
#include "ops/lm_head/lm_head.h"
#include "ops/linear/linear.h"
#include "ops/loss/loss.h"
#include "ops/mm/mm.h"
#include "ops/softmax/softmax.h"
#include "ops/statistics/statistics.h"
#include "ops/t/t.h"

namespace gb {
namespace composite {
namespace {

Tensor as(const Tensor& t, ScalarType dtype) { return t.scalar_type() == dtype ? t : t.to(dtype); }

Tensor as_matrix(const Tensor& t) {
  return t.dim() == 2 ? t : t.reshape({t.numel() / std::max<int64_t>(1, t.sizes().back()), t.sizes().back()});
}

// From dz [rows, out], which is of the dtype that is computed in.
Gradients gradients(const Tensor& dz, const Tensor& input, const Tensor& weight, std::array<bool, 3> wanted) {
  const ScalarType wide = dz.scalar_type(), narrow = input.scalar_type();
  Gradients result;
  if (wanted[0]) std::get<0>(result) = as(dz.mm(as(weight, wide)), narrow).reshape(input.sizes());
  if (wanted[1]) std::get<1>(result) = as(dz.t().mm(as(as_matrix(input), wide)), narrow);
  if (wanted[2]) std::get<2>(result) = as(dz.sum({0}), narrow);
  return result;
}

}  // namespace

Tensor logits(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) {
  const ScalarType wide = computed_in(input.scalar_type());
  const bool has_bias = bias && bias->defined();
  return linear(as(input, wide), as(weight, wide), has_bias ? std::optional(as(*bias, wide)) : std::nullopt);
}

Tensor linear_softmax(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) {
  const LmHeadSizes sizes(input, weight, bias, "linear_softmax");
  return as(softmax(logits(input, weight, bias), -1), input.scalar_type());
}

Gradients linear_softmax_backward(const Tensor& grad_output, const Tensor& output, const Tensor& input,
                                  const Tensor& weight, std::array<bool, 3> output_mask) {
  const LmHeadSizes sizes(input, weight, std::nullopt, "_linear_softmax_backward");
  for (auto [t, name] : {std::pair{&grad_output, "grad_output"}, {&output, "output"}})
    check_like_forward(*t, sizes.output, input.scalar_type(), input.device(), name, "_linear_softmax_backward");
  const ScalarType wide = computed_in(input.scalar_type());
  const Tensor dz = _softmax_backward_data(as(as_matrix(grad_output), wide), as(as_matrix(output), wide), -1, wide);
  return gradients(dz, input, weight, output_mask);
}

std::tuple<Tensor, Tensor, Tensor> linear_cross_entropy(const Tensor& input, const Tensor& weight, const Tensor& target,
                                                        const std::optional<Tensor>& bias, int64_t ignore_index) {
  const LmHeadSizes sizes(input, weight, bias, "linear_cross_entropy");
  check_targets_fit(input, target, "linear_cross_entropy");
  const Tensor z = logits(input, weight, bias);
  auto [loss, count] = nll_loss_forward(log_softmax(z, 1), target, std::nullopt, Reduction::Mean, ignore_index);
  return {as(loss, input.scalar_type()), logsumexp(z, {1}), count};
}

Gradients linear_cross_entropy_backward(const Tensor& grad_output, const Tensor& log_probabilities, const Tensor& input,
                                        const Tensor& weight, const Tensor& target, int64_t ignore_index,
                                        const Tensor& total_weight, std::array<bool, 3> output_mask) {
  const ScalarType wide = log_probabilities.scalar_type();
  const Tensor grad = nll_loss_backward(as(grad_output, wide), log_probabilities, target, std::nullopt, Reduction::Mean,
                                        ignore_index, total_weight);
  return gradients(_log_softmax_backward_data(grad, log_probabilities, 1, wide), input, weight, output_mask);
}

}  // namespace composite

namespace {

// The logits are computed again, and logsumexp makes log-probabilities of them.
composite::Gradients cross_entropy_backward(const Tensor& grad_output, const Tensor& input, const Tensor& weight,
                                            const Tensor& target, const std::optional<Tensor>& bias,
                                            int64_t ignore_index, const Tensor& logsumexp, const Tensor& total_weight,
                                            std::array<bool, 3> output_mask) {
  const char* op = "_linear_cross_entropy_backward";
  const LmHeadSizes sizes(input, weight, bias, op);
  check_targets_fit(input, target, op);
  const ScalarType wide = computed_in(input.scalar_type());
  check_like_forward(grad_output, {}, input.scalar_type(), input.device(), "grad_output", op);
  check_like_forward(logsumexp, {sizes.rows}, wide, input.device(), "logsumexp", op);
  check_like_forward(total_weight, {}, wide, input.device(), "total_weight", op);
  const Tensor log_probabilities = composite::logits(input, weight, bias).sub(logsumexp.unsqueeze(1));
  return composite::linear_cross_entropy_backward(grad_output, log_probabilities, input, weight, target, ignore_index,
                                                  total_weight, output_mask);
}

}  // namespace

GB_LIBRARY_IMPL(glassbox, CompositeExplicitAutograd, m) {
  m.impl("linear_softmax", GB_FN(composite::linear_softmax));
  m.impl("_linear_softmax_backward", GB_FN(composite::linear_softmax_backward));
  m.impl("_linear_cross_entropy", GB_FN(composite::linear_cross_entropy));
  m.impl("_linear_cross_entropy_backward", GB_FN(cross_entropy_backward));
}

}  // namespace gb
