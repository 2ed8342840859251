// Hooks: what a user has run when a gradient passes by. Three kinds, by what they see:
//
//   FunctionPreHook         before a node: the gradients that go into it; what it returns takes their place
//   FunctionPostHook        after a node: the gradients that came out, and those that went in
//   PostAccumulateGradHook  after a leaf's grad() was added to: the leaf
//
// Who keeps them: autograd/node_extras.h (a node), autograd/tensor_hooks.h (a tensor). When they run:
// autograd/run_node.h. Names follow torch/csrc/autograd/function_hook.h.
#pragma once

#include "autograd/edge.h"

namespace gb::autograd {

struct FunctionPreHook {
  virtual ~FunctionPreHook() = default;
  virtual variable_list operator()(const variable_list& grads) = 0;
};

struct FunctionPostHook {
  virtual ~FunctionPostHook() = default;
  virtual variable_list operator()(const variable_list& outputs, const variable_list& inputs) = 0;
};

struct PostAccumulateGradHook {
  virtual ~PostAccumulateGradHook() = default;
  virtual void operator()(const Variable& leaf) = 0;
};

using PreHooks = std::vector<std::unique_ptr<FunctionPreHook>>;

}  // namespace gb::autograd
