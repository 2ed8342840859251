#include "autograd/accumulate_grad.h"

#include <fmt/format.h>

#include "autograd/autograd_meta.h"
#include "autograd/operators.h"
#include "core/autograd_state.h"
#include "core/error.h"

namespace gb::autograd {
namespace {

bool same_layout(const Tensor& grad, const Tensor& leaf) {
  return leaf.is_contiguous() ? grad.is_contiguous()
                              : grad.strides() == leaf.strides() && grad.is_non_overlapping_and_dense();
}

// The first gradient of a leaf, with grad mode off. `owners`: how many may hold the gradient now.
Tensor take_over(Tensor&& grad, const Tensor& leaf, size_t owners) {
  if (grad.use_count() <= owners && same_layout(grad, leaf)) {
    // Without history: a gradient that is a view would keep its base, and a count of its storage.
    Tensor plain = grad.unsafeGetTensorImpl()->autograd_meta() ? grad.variable_data() : grad;
    grad.reset();
    if (plain.has_storage() && plain.storage().use_count() == 1) return plain;
    grad = std::move(plain);
  }
  // A dense leaf's gradient lies in memory as the leaf does, so that an optimizer walks both in one order.
  const bool keep_strides = !leaf.is_contiguous() && leaf.is_non_overlapping_and_dense();
  return keep_strides ? ops::clone_as(grad, leaf.strides()) : ops::clone(grad);
}

// requires_grad_(false), and then a write that is recorded, make a computed tensor of a leaf. A graph from before still
// leads here, but `grad` of the tensor would now be of another value.
// The same where it got other sizes in place (t_, squeeze_, set_) with grad mode off.
void check_leaf(const Tensor& variable, const Tensor& grad) {
  GB_CHECK_OR_THROW(!impl::grad_fn(variable), Error,
                    .what = "backward: leaf variable has been moved into the graph interior",
                    .cause = fmt::format("the leaf of sizes {} was used, and after that made the output of {}",
                                         to_string(variable.sizes()), impl::grad_fn(variable)->name()),
                    .repair = "write to a clone of the leaf", .chapter = chapters::kAutograd);
  GB_CHECK_OR_THROW(grad.sizes() == variable.sizes(), Error,
                    .what = fmt::format("backward: the sizes of a leaf have changed since it was used: its gradient has {}, "
                                        "and it has {}",
                                        to_string(grad.sizes()), to_string(variable.sizes())),
                    .cause = "t_, squeeze_, set_ or the like gave it others with grad mode off",
                    .repair = "run the forward call again", .chapter = chapters::kAutograd);
}

}  // namespace

AccumulateGrad::AccumulateGrad(const Tensor& leaf) : Node(UINT64_MAX), variable(leaf) {
  add_input_metadata(leaf);
}

const PreHooks& AccumulateGrad::tensor_pre_hooks() const { return impl::hooks(variable); }

PostAccumulateGradHook* AccumulateGrad::tensor_post_acc_grad_hooks() const {
  const AutogradMeta* meta = impl::get_autograd_meta(variable);
  return meta && meta->hooks_ ? meta->hooks_->post_acc_grad_hooks.get() : nullptr;
}

// [anchor: accumulate]
variable_list AccumulateGrad::apply(variable_list&& grads) {
  Tensor grad = std::move(grads[0]);
  if (!grad.defined()) return {};
  check_leaf(variable, grad);
  if (!variable.requires_grad()) return {};
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    Tensor& sum = variable.mutable_grad();
    if (GradMode::is_enabled()) {
      sum = sum.defined() ? ops::add(sum, grad) : ops::clone(grad);
    } else if (sum.defined()) {
      ops::add_(sum, grad);
    } else {
      sum = take_over(std::move(grad), variable, post_hooks().empty() ? 1 : 2);
    }
  }
  if (PostAccumulateGradHook* hook = tensor_post_acc_grad_hooks()) (*hook)(variable);
  return {};
}

}  // namespace gb::autograd
