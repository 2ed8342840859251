// TensorHooks: the hooks of a tensor, behind one pointer of its AutogradMeta, since few tensors have any.
//
// Where they run depends on what the tensor is. Computed: the list also hangs, as a pre hook, on its grad_fn, and goes
// with that: after an in-place write the tensor has another grad_fn, and the old hooks still see the gradient of the
// old value. A leaf: its AccumulateGrad reads `hooks` when a gradient arrives (the accumulator itself may die and come
// back). retain_grad alone moves to the new grad_fn. Source: torch/csrc/autograd/variable.cpp.
#pragma once

#include "autograd/cpp_hook.h"

namespace gb::autograd {

struct AutogradMeta;

struct TensorHooks {
  PreHooks hooks;                                // read by a leaf's AccumulateGrad
  std::shared_ptr<hooks_list> cpp_hooks_list;    // of register_hook, for the grad_fn of now; shared with it
  std::unique_ptr<PostAccumulateGradHook> post_acc_grad_hooks;
  bool retains_grad = false;
};

namespace impl {
void add_hook(const Tensor& t, std::unique_ptr<FunctionPreHook> hook);  // of a leaf
const PreHooks& hooks(const Tensor& t);
void clear_hooks(const Tensor& t);
void set_post_acc_grad_hooks(const Tensor& t, std::unique_ptr<PostAccumulateGradHook> hook);
// After the tensor's grad_fn was exchanged for the one it has now.
void move_hooks_to_new_grad_fn(AutogradMeta& meta, Node* old_grad_fn, uint32_t old_output_nr);
}  // namespace impl

}  // namespace gb::autograd
