// SavedVariable: a tensor that a node keeps for its backward, with the version its data had then.
//
// Invariants: an input is kept as it is (with its history, so that backward can be differentiated again). The
// node's own output is kept without history, because the output's grad_fn is the node: keeping it would be a
// cycle that is never freed; unpack() puts the edge back. The output of an in-place write to a view has another
// grad_fn (view.h), which is kept weakly. unpack() refuses data that was written in place since, and data released by
// an earlier backward. With hooks (its own, or those of the scope: saved_tensor_default_hooks.h) the data lies with them,
// and its version is not checked. An undefined tensor may be saved and comes back undefined.
//
// Several threads may run backward through one node: unpack() and reset_data() may be called at the same time, and the
// hooks of one saved tensor are called one after the other (turn.h). (PyTorch locks the whole node while it runs.) Names
// follow torch/csrc/autograd/saved_variable.h.
#pragma once

#include <memory>
#include <optional>

#include "autograd/edge.h"
#include "autograd/saved_variable_hooks.h"
#include "autograd/turn.h"
#include "core/byte_lock.h"
#include "core/intrusive_ptr.h"

namespace gb::autograd {

class SavedVariable {
 public:
  SavedVariable() = default;
  SavedVariable(SavedVariable&&) = default;
  SavedVariable& operator=(SavedVariable&&) = default;
  // is_output: `variable` is an output of the node that saves it. (For nodes of several outputs: set_history
  // first.) is_inplace_on_view: it was written in place, and is a view; an output that is a view counts as one anyway.
  SavedVariable(const Variable& variable, bool is_output, bool is_inplace_on_view = false);
  SavedVariable(const std::optional<Variable>& variable, bool is_output, bool is_inplace_on_view = false)
      : SavedVariable(variable.value_or(Variable()), is_output, is_inplace_on_view) {}

  // `saved_for`: the node that keeps it; needed for an output, optional for an input.
  Variable unpack(const std::shared_ptr<Node>& saved_for = nullptr) const;
  void reset_data();  // release: a later unpack() throws
  // Once, before backward: the data is given to the pack hook at once.
  void register_hooks(std::unique_ptr<SavedVariableHooks>&& hooks);
  bool has_hooks() const { return extras_ && extras_->hooks; }

  // For the printed tape.
  const Tensor& peek() const { return data_; }  // undefined once released, and where hooks have it
  bool is_output() const { return is_output_; }
  bool is_released() const { return state_ == State::kReleased; }
  uint32_t saved_version() const { return saved_version_; }

 private:
  enum class State : uint8_t { kEmpty, kSaved, kReleased };
  struct Extras final : intrusive_ptr_target {
    std::weak_ptr<Node> weak_grad_fn;  // of the output of an in-place write to a view
    std::unique_ptr<SavedVariableHooks> hooks;
    std::shared_ptr<Node> grad_fn, grad_accumulator;  // what unpack needs where hooks have the data
    bool requires_grad = false;
    Turn hook_turn;
  };
  Extras& extras();
  void pack(std::unique_ptr<SavedVariableHooks>&& hooks, const Tensor& given);  // `given`: data_ as the hook sees it
  Tensor with_history(Tensor data, const Extras* extras, const std::shared_ptr<Node>& saved_for) const;
  void check_not_modified(const Tensor& data, const Node* saved_for) const;
  [[noreturn]] void throw_released(const Node* saved_for) const;
  [[noreturn]] void throw_modified(const Tensor& data, const Node* saved_for) const;

  Tensor data_;
  intrusive_ptr<Extras> extras_;  // most have none
  uint32_t saved_version_ = 0;
  uint32_t output_nr_ = 0;
  State state_ = State::kEmpty;
  bool is_output_ = false;
  bool saved_original_ = false;  // data_ is the variable itself, not its data without history
  bool is_leaf_ = false;
  mutable ByteLock lock_;  // of data_, extras_ and state_, which reset_data() takes away
};
static_assert(sizeof(SavedVariable) <= 32);

}  // namespace gb::autograd
