// The hooks of Tensor::register_hook and retain_grad, as pre hooks of the node that the gradient goes into.
//
// All hooks of one tensor are one list, which the tensor and one pre hook of its node share: so a later register_hook
// reaches the node, and remove_hook too. Each hook sees what the one before it made of the gradient. Names follow
// torch/csrc/autograd/cpp_hook.h.
#pragma once

#include <functional>

#include "autograd/function_hook.h"

namespace gb::autograd {

using hooks_list = std::vector<std::function<Tensor(const Tensor&)>>;  // an empty function: it was removed

struct CppFunctionTensorPreHook final : FunctionPreHook {
  CppFunctionTensorPreHook(std::shared_ptr<hooks_list> hooks, size_t value_idx);
  variable_list operator()(const variable_list& values) override;

 private:
  const std::shared_ptr<hooks_list> hooks_;
  const size_t value_idx_;
};

struct CppFunctionSingleTensorPreHook final : FunctionPreHook {
  CppFunctionSingleTensorPreHook(std::function<Tensor(const Tensor&)> hook, size_t value_idx);
  variable_list operator()(const variable_list& values) override;

 private:
  const std::function<Tensor(const Tensor&)> hook_;
  const size_t value_idx_;
};

}  // namespace gb::autograd
