#include "autograd/tensor_hooks.h"

#include <fmt/format.h>

#include <mutex>

#include "autograd/autograd_meta.h"
#include "autograd/node.h"
#include "autograd/operators.h"
#include "core/error.h"

namespace gb {
namespace autograd::impl {
namespace {

TensorHooks& hooks_of(const Tensor& t) {
  std::unique_ptr<TensorHooks>& hooks = materialize_autograd_meta(t)->hooks_;
  if (!hooks) hooks = std::make_unique<TensorHooks>();
  return *hooks;
}

// A new list for the grad_fn of now, known to the node that the gradient goes into.
void start_list(const Tensor& t, TensorHooks& hooks) {
  const std::shared_ptr<Node>& node = grad_fn(t);  // first: a written view gets its new one now, and drops its old list
  hooks.cpp_hooks_list = std::make_shared<hooks_list>();
  hooks.hooks.clear();
  hooks.hooks.push_back(std::make_unique<CppFunctionTensorPreHook>(hooks.cpp_hooks_list, 0));
  if (node) {
    node->add_tensor_pre_hook(std::make_unique<CppFunctionTensorPreHook>(
        hooks.cpp_hooks_list, get_autograd_meta(t)->output_nr_));
  }
}

}  // namespace

void add_hook(const Tensor& t, std::unique_ptr<FunctionPreHook> hook) {
  hooks_of(t).hooks.push_back(std::move(hook));
}

const PreHooks& hooks(const Tensor& t) {
  static const PreHooks none;
  const AutogradMeta* meta = get_autograd_meta(t);
  return meta && meta->hooks_ ? meta->hooks_->hooks : none;
}

void clear_hooks(const Tensor& t) {
  if (AutogradMeta* meta = get_autograd_meta(t); meta && meta->hooks_) meta->hooks_->hooks.clear();
}

void set_post_acc_grad_hooks(const Tensor& t, std::unique_ptr<PostAccumulateGradHook> hook) {
  hooks_of(t).post_acc_grad_hooks = std::move(hook);
}

void move_hooks_to_new_grad_fn(AutogradMeta& meta, Node* old_grad_fn, uint32_t old_output_nr) {
  if (!meta.hooks_) return;
  meta.hooks_->cpp_hooks_list = nullptr;  // the old node keeps the old list
  if (!meta.hooks_->retains_grad || !old_grad_fn || !meta.grad_fn_) return;
  if (auto hook = old_grad_fn->pop_retains_grad_hook(old_output_nr)) {
    meta.grad_fn_->add_retains_grad_hook(std::move(hook), meta.output_nr_);
  }
}

}  // namespace autograd::impl

namespace meta_of = autograd::impl;

unsigned Tensor::_register_hook(std::function<Tensor(const Tensor&)> hook) const {
  GB_CHECK_OR_THROW(requires_grad(), Error,
                    .what = "register_hook: cannot register a hook on a variable that doesn't require gradient",
                    .cause = "no gradient will arrive at it", .repair = "call requires_grad_() on it, or on what it is "
                    "computed from", .chapter = chapters::kAutograd);
  autograd::TensorHooks& hooks = meta_of::hooks_of(*this);
  if (!hooks.cpp_hooks_list) meta_of::start_list(*this, hooks);
  hooks.cpp_hooks_list->push_back(std::move(hook));
  return static_cast<unsigned>(hooks.cpp_hooks_list->size() - 1);
}

void Tensor::remove_hook(unsigned number) const {
  const autograd::AutogradMeta* meta = meta_of::get_autograd_meta(*this);
  autograd::hooks_list* list = meta && meta->hooks_ ? meta->hooks_->cpp_hooks_list.get() : nullptr;
  GB_CHECK_OR_THROW(list && number < list->size(), Error,
                    .what = fmt::format("remove_hook: Invalid index, no hook at position {}", number),
                    .cause = fmt::format("the tensor has {} hook(s)", list ? list->size() : 0),
                    .repair = "give the number that register_hook returned", .chapter = chapters::kAutograd);
  (*list)[number] = nullptr;  // the numbers of the others stay
}

void Tensor::retain_grad() const {
  GB_CHECK_OR_THROW(requires_grad(), Error,
                    .what = "retain_grad: can't retain_grad on Tensor that has requires_grad=False",
                    .cause = "no gradient will arrive at it",
                    .repair = "call requires_grad_() on it, or on what it is computed from",
                    .chapter = chapters::kAutograd);
  if (is_leaf() || retains_grad()) return;  // a leaf keeps its gradient anyway
  const std::shared_ptr<autograd::Node>& node = grad_fn();
  const weak_intrusive_ptr<TensorImpl, UndefinedTensorImpl> weak(getIntrusivePtr());
  const auto keep = [weak, adds = std::make_shared<std::mutex>()](const Tensor& grad) {
    const Tensor self(weak.lock());
    if (self.defined() && grad.defined()) {
      const std::lock_guard<std::mutex> lock(*adds);  // of two backward passes in two threads
      Tensor& sum = self.mutable_grad();
      sum = sum.defined() ? autograd::ops::add(sum, grad) : autograd::ops::clone(grad);
    }
    return Tensor();
  };
  const uint32_t nr = meta_of::get_autograd_meta(*this)->output_nr_;
  node->add_retains_grad_hook(std::make_unique<autograd::CppFunctionSingleTensorPreHook>(keep, nr), nr);
  meta_of::hooks_of(*this).retains_grad = true;
}

bool Tensor::retains_grad() const {
  const autograd::AutogradMeta* meta = meta_of::get_autograd_meta(*this);
  return meta && meta->hooks_ && meta->hooks_->retains_grad;
}

}  // namespace gb
