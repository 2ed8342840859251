// AutogradContext: what the forward of a Function<T> leaves for its backward. Tensors go through
// save_for_backward, which checks versions and avoids cycles; anything else goes into saved_data. Names
// follow torch/csrc/autograd/custom_function.h.
#pragma once

#include <initializer_list>
#include <string>
#include <unordered_map>
#include <utility>

#include "autograd/node.h"
#include "autograd/saved_variable.h"
#include "dispatcher/ivalue.h"

namespace gb::autograd {

class AutogradContext {
 public:
  AutogradContext() = default;
  AutogradContext(const AutogradContext&) = delete;
  AutogradContext& operator=(const AutogradContext&) = delete;

  // --- in forward
  void save_for_backward(variable_list to_save) {
    to_save_ = std::move(to_save);
  }                                                                  // undefined entries are allowed
  void mark_dirty(const variable_list& inputs) { dirty_ = inputs; }  // written in place, and returned
  void mark_non_differentiable(const variable_list& outputs) { non_differentiable_ = outputs; }
  // Off: a gradient that did not arrive is undefined in backward, instead of zeros.
  void set_materialize_grads(bool value) { materialize_grads_ = value; }

  // --- in backward
  variable_list get_saved_variables() const;  // throws as SavedVariable::unpack does
  // Is the gradient of differentiable input i asked for? Also in forward.
  bool needs_input_grad(size_t i) const;
  bool needs_input_grad(std::initializer_list<IndexRange> ranges) const;

  std::unordered_map<std::string, IValue> saved_data;

 private:
  friend struct FunctionNode;

  variable_list to_save_, dirty_, non_differentiable_;
  std::vector<SavedVariable> saved_;
  std::weak_ptr<Node> grad_fn_;  // the node this context lives in
  bool materialize_grads_ = true;
};

}  // namespace gb::autograd
