// The gradient of layer_norm is an operator, native_layer_norm_backward, and has a gradient in turn. With
// xhat = (x - mean) rstd and, along a row, the symmetric map that normalization has for a Jacobian,
//
//   P(u) = rstd (u - mean(u) - xhat mean(u xhat))          d x = P(grad weight)    d weight = sum grad xhat
//   d bias = sum grad
//
// let H, W, B be the gradients that come back for those three, and g = grad weight. Then
//
//   d grad    = weight P(H) + xhat W + B
//   d weight  = sum over rows of grad P(H)
//   d x       = P(grad W) - rstd (mean(g xhat) P(H) + mean(H xhat) P(g))
//               - rstd^2 xhat (mean(H g) - mean(H) mean(g) - mean(H xhat) mean(g xhat))
//
// mean and rstd are functions of x, and d x above is the whole derivative by x: nothing is left for their
// edges. Limit, as in PyTorch: a third derivative takes them for constants.
#include "ops/common/derivative.h"
#include "ops/layer_norm/layer_norm.h"
#include "ops/view/view.h"

namespace gb::autograd {
namespace {

struct NativeLayerNormBackward0 final : FieldsNode<NativeLayerNormBackward0> {
  using Outputs = Arguments<0>;
  variable_list apply(variable_list&& grads) override {
    if (!grads[0].defined()) return variable_list(3);
    const auto optional = [](const Tensor& t) { return t.defined() ? std::optional(t) : std::nullopt; };
    auto [input, weight, bias] = native_layer_norm_backward(
        grads[0], unpack(input_), normalized_shape_, unpack(result1_), unpack(result2_),
        optional(unpack(weight_)), optional(unpack(bias_)),
        {task_should_compute_output(0), task_should_compute_output(1), task_should_compute_output(2)});
    return {input, weight, bias};
  }
  static auto fields() {
    using Self = NativeLayerNormBackward0;
    return std::tuple{field("bias", &Self::bias_),
                      field("input", &Self::input_),
                      field("normalized_shape", &Self::normalized_shape_),
                      field("weight", &Self::weight_),
                      field("result1", &Self::result1_),
                      field("result2", &Self::result2_)};
  }
  void save(const Tensor& input, IntArrayRef normalized_shape, OptionalTensor weight, OptionalTensor bias,
            double) {
    input_ = saved_input(input);
    normalized_shape_ = normalized_shape.vec();
    if (weight) weight_ = saved_input(*weight);
    if (bias) bias_ = saved_input(*bias);
  }
  void save_result(const Tensor&, const Tensor& mean, const Tensor& rstd) {  // these two have no history
    result1_ = saved_input(mean);
    result2_ = saved_input(rstd);
  }
  SavedVariable input_, weight_, bias_, result1_, result2_;
  std::vector<int64_t> normalized_shape_;
};

struct NativeLayerNormBackwardBackward0 final : FieldsNode<NativeLayerNormBackwardBackward0> {
  variable_list apply(variable_list&& grads) override;
  static auto fields() {
    using Self = NativeLayerNormBackwardBackward0;
    return std::tuple{
        field("grad_out", &Self::grad_out_), field("input", &Self::input_),
        field("mean", &Self::mean_),         field("normalized_shape", &Self::normalized_shape_),
        field("rstd", &Self::rstd_),         field("weight", &Self::weight_)};
  }
  void save(const Tensor& grad_out, const Tensor& input, IntArrayRef normalized_shape, const Tensor& mean,
            const Tensor& rstd, OptionalTensor weight, OptionalTensor, std::array<bool, 3>) {
    grad_out_ = saved_input(grad_out), input_ = saved_input(input);
    mean_ = saved_input(mean), rstd_ = saved_input(rstd);
    if (weight) weight_ = saved_input(*weight);
    normalized_shape_ = normalized_shape.vec();
  }
  SavedVariable grad_out_, input_, mean_, rstd_, weight_;
  std::vector<int64_t> normalized_shape_;
};

// a + b, where either may be undefined.
Tensor plus(const Tensor& a, const Tensor& b) { return !a.defined() ? b : !b.defined() ? a : a.add(b); }
// a * b; b undefined counts as 1.
Tensor times(const Tensor& a, const Tensor& b) { return b.defined() ? a.mul(b) : a; }

variable_list NativeLayerNormBackwardBackward0::apply(variable_list&& grads) {
  enum { kGradOut, kInput, kMean, kRstd, kWeight, kBias };  // the edges
  variable_list inputs(num_outputs());
  GB_CHECK_OR_THROW(
      !task_should_compute_output(kMean) && !task_should_compute_output(kRstd), NotImplementedError,
      .what = "the derivative for 'native_layer_norm_backward mean' and 'rstd' is not implemented",
      .cause = "mean or rstd was given as a tensor that requires grad",
      .repair = "pass what native_layer_norm returned", .chapter = chapters::kAutograd);
  const Tensor &h = grads[0], &w = grads[1], &b = grads[2];
  if (!h.defined() && !w.defined() && !b.defined()) return inputs;
  const Tensor grad = unpack(grad_out_), rstd = unpack(rstd_), weight = unpack(weight_);
  const Tensor xhat = unpack(input_).sub(unpack(mean_)).mul(rstd), g = times(grad, weight);
  const int64_t first = xhat.dim() - static_cast<int64_t>(normalized_shape_.size());
  std::vector<int64_t> within, rows;  // a row's own dimensions; those that count the rows
  for (int64_t d = 0; d < xhat.dim(); ++d) (d < first ? rows : within).push_back(d);
  const auto mean = [&](const Tensor& t) { return t.mean(within, true); };
  const auto project = [&](const Tensor& u) {
    return u.sub(mean(u)).sub(xhat.mul(mean(u.mul(xhat)))).mul(rstd);
  };
  const Tensor p_h = h.defined() ? project(h) : Tensor();

  if (task_should_compute_output(kGradOut)) {
    if (h.defined()) inputs[kGradOut] = times(p_h, weight);
    if (w.defined()) inputs[kGradOut] = plus(inputs[kGradOut], xhat.mul(w));
    if (b.defined()) inputs[kGradOut] = plus(inputs[kGradOut], b.expand(xhat.sizes()));
  }
  if (task_should_compute_output(kInput)) {
    if (w.defined()) inputs[kInput] = project(grad.mul(w));
    if (h.defined()) {
      const Tensor of_h = mean(h.mul(xhat)), of_g = mean(g.mul(xhat));
      const Tensor both = mean(h.mul(g)).sub(mean(h).mul(mean(g))).sub(of_h.mul(of_g));
      const Tensor change =
          of_g.mul(p_h).add(of_h.mul(project(g))).add(rstd.mul(xhat).mul(both)).mul(rstd).neg();
      inputs[kInput] = plus(inputs[kInput], change);
    }
  }
  if (task_should_compute_output(kWeight) && h.defined()) {
    const Tensor product = grad.mul(p_h);
    inputs[kWeight] = rows.empty() ? product : product.sum(rows);
  }
  return inputs;
}

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("native_layer_norm", recorded<NativeLayerNormBackward0, &native_layer_norm_op>);
  m.impl("native_layer_norm_backward",
         recorded<NativeLayerNormBackwardBackward0, &native_layer_norm_backward_op>);
}

}  // namespace gb::autograd
