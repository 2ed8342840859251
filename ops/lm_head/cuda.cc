// The LM head on a GPU: one kernel each (a ladder: kernels/cuda/lm_head). Tensors without elements go the composite
// way, which knows what their sums are.
#include "core/context.h"
#include "dispatcher/library.h"
#include "kernels/cuda/index/index.h"
#include "kernels/cuda/lm_head/lm_head.h"
#include "kernels/cuda/lm_head/mean_loss.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/common/empty.h"
#include "ops/gather/cuda_indices.h"
#include "ops/lm_head/checks.h"
#include "ops/lm_head/composite.h"
#include "ops/lm_head/lm_head.h"
#include "ops/loss/checks.h"

namespace gb {
namespace {

// The operands as the kernels take them.
struct Operands {
  Tensor x, weight, bias;

  Operands(const Tensor& input, const Tensor& w, const std::optional<Tensor>& b)
      : x(input.contiguous()), weight(w.contiguous()), bias(b && b->defined() ? b->contiguous() : Tensor()) {}

  template <class Args>
  Args args(const LmHeadSizes& sizes) const {
    Args a = {};
    a.dtype = x.scalar_type();
    a.rows = sizes.rows, a.in = sizes.in, a.out = sizes.out;
    a.x = x.const_data_ptr(), a.weight = weight.const_data_ptr();
    a.allow_tf32 = globalContext().allowTF32CuBLAS();
    if constexpr (requires { a.bias; }) a.bias = bias.defined() ? bias.const_data_ptr() : nullptr;
    a.stream = cuda::current_stream();
    return a;
  }
};

template <class Args>
void run_with_scratch(Args a, Device device) {
  const auto bytes = static_cast<int64_t>(cuda::lm_head_scratch(a));
  const Tensor scratch = empty_on(device, {bytes}, kBool);  // a Bool is a byte
  a.scratch = scratch.mutable_data_ptr();
  cuda::lm_head(a);
}

// All three gradients come from one pass; those that nobody asked for are given up again.
template <class Args>
composite::Gradients run_backward(Args a, const Operands& operands, const Tensor& input, const LmHeadSizes& sizes,
                                  std::array<bool, 3> wanted) {
  const Device device = input.device();
  const ScalarType dtype = input.scalar_type();
  Tensor x = empty_on(device, input.sizes(), dtype), weight = empty_on(device, operands.weight.sizes(), dtype), bias;
  if (wanted[2]) bias = empty_on(device, {sizes.out}, dtype);
  a.grad_x = x.mutable_data_ptr(), a.grad_weight = weight.mutable_data_ptr();
  a.grad_bias = wanted[2] ? bias.mutable_data_ptr() : nullptr;
  run_with_scratch(a, device);
  return {wanted[0] ? x : Tensor(), wanted[1] ? weight : Tensor(), bias};
}

Tensor linear_softmax_cuda(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) {
  const LmHeadSizes sizes(input, weight, bias, "linear_softmax");
  if (sizes.is_empty()) return composite::linear_softmax(input, weight, bias);
  const cuda::DeviceGuard guard(input.device());
  const Operands operands(input, weight, bias);
  Tensor p = empty_on(input.device(), sizes.output, input.scalar_type());
  auto a = operands.args<cuda::LmHeadArgs>(sizes);
  a.p = p.mutable_data_ptr();
  run_with_scratch(a, input.device());
  return p;
}

composite::Gradients linear_softmax_backward_cuda(const Tensor& grad_output, const Tensor& output, const Tensor& input,
                                                  const Tensor& weight, std::array<bool, 3> output_mask) {
  const char* op = "_linear_softmax_backward";
  const LmHeadSizes sizes(input, weight, std::nullopt, op);
  check_like_forward(grad_output, sizes.output, input.scalar_type(), input.device(), "grad_output", op);
  check_like_forward(output, sizes.output, input.scalar_type(), input.device(), "output", op);
  if (sizes.is_empty()) return composite::linear_softmax_backward(grad_output, output, input, weight, output_mask);
  const cuda::DeviceGuard guard(input.device());
  const Operands operands(input, weight, std::nullopt);
  const Tensor p = output.contiguous(), grad = grad_output.contiguous();
  auto a = operands.args<cuda::LmHeadBackwardArgs>(sizes);
  a.p = p.const_data_ptr(), a.grad_p = grad.const_data_ptr();
  return run_backward(a, operands, input, sizes, output_mask);
}

std::tuple<Tensor, Tensor, Tensor> linear_cross_entropy_cuda(const Tensor& input, const Tensor& weight,
                                                             const Tensor& target, const std::optional<Tensor>& bias,
                                                             int64_t ignore_index) {
  const char* op = "linear_cross_entropy";
  const LmHeadSizes sizes(input, weight, bias, op);
  check_targets_fit(input, target, op);
  if (sizes.is_empty()) return composite::linear_cross_entropy(input, weight, target, bias, ignore_index);
  const Device device = input.device();
  const cuda::DeviceGuard guard(device);
  const Operands operands(input, weight, bias);
  const Tensor targets = target.contiguous();
  auto a = operands.args<cuda::LinearCrossEntropyArgs>(sizes);
  a.target = targets.const_data_ptr<int64_t>(), a.ignore_index = ignore_index;
  const cpu::BadIndex bad = bad_index_from_gpu(device, [&](cpu::BadIndex* answer) {
    cuda::find_bad_target(answer, a.target, sizes.rows, sizes.out, ignore_index, a.stream);
  });
  if (bad) throw_bad_target(bad.value, bad.position, sizes.out, op);

  const ScalarType wide = computed_in(input.scalar_type());
  const Tensor losses = empty_on(device, {sizes.rows}, wide);
  Tensor logsumexp = empty_on(device, {sizes.rows}, wide), count = empty_on(device, {}, wide),
         loss = empty_on(device, {}, input.scalar_type());
  a.loss = losses.mutable_data_ptr(), a.logsumexp = logsumexp.mutable_data_ptr();
  run_with_scratch(a, device);
  const Tensor scratch = empty_on(device, {static_cast<int64_t>(cuda::kMeanLossScratch)}, kBool);
  cuda::mean_loss({a.dtype, loss.mutable_data_ptr(), count.mutable_data_ptr(), a.loss, a.target, ignore_index,
                   sizes.rows, scratch.mutable_data_ptr(), a.stream});
  return {loss, logsumexp, count};
}

composite::Gradients linear_cross_entropy_backward_cuda(const Tensor& grad_output, const Tensor& input,
                                                        const Tensor& weight, const Tensor& target,
                                                        const std::optional<Tensor>& bias, int64_t ignore_index,
                                                        const Tensor& logsumexp, const Tensor& total_weight,
                                                        std::array<bool, 3> output_mask) {
  const char* op = "_linear_cross_entropy_backward";
  const LmHeadSizes sizes(input, weight, bias, op);
  check_targets_fit(input, target, op);
  const ScalarType wide = computed_in(input.scalar_type());
  check_like_forward(grad_output, {}, input.scalar_type(), input.device(), "grad_output", op);
  check_like_forward(logsumexp, {sizes.rows}, wide, input.device(), "logsumexp", op);
  check_like_forward(total_weight, {}, wide, input.device(), "total_weight", op);
  if (sizes.is_empty())
    return composite::linear_cross_entropy_backward(grad_output, composite::logits(input, weight, bias), input, weight,
                                                    target, ignore_index, total_weight, output_mask);
  const cuda::DeviceGuard guard(input.device());
  const Operands operands(input, weight, bias);
  const Tensor targets = target.contiguous(), lse = logsumexp.contiguous(),
               grad = grad_output.to(wide).div(total_weight);  // of the mean: the same for each row
  auto a = operands.args<cuda::LinearCrossEntropyBackwardArgs>(sizes);
  a.target = targets.const_data_ptr<int64_t>(), a.ignore_index = ignore_index;
  a.logsumexp = lse.const_data_ptr();
  a.grad_loss = grad.const_data_ptr(), a.grad_loss_stride = 0;
  return run_backward(a, operands, input, sizes, output_mask);
}

}  // namespace

GB_LIBRARY_IMPL(glassbox, CUDA, m) {
  m.impl("linear_softmax", GB_FN(linear_softmax_cuda));
  m.impl("_linear_softmax_backward", GB_FN(linear_softmax_backward_cuda));
  m.impl("_linear_cross_entropy", GB_FN(linear_cross_entropy_cuda));
  m.impl("_linear_cross_entropy_backward", GB_FN(linear_cross_entropy_backward_cuda));
}

}  // namespace gb
