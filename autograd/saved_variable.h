// SavedVariable: a tensor that a node keeps for its backward, with the version its data had then.
//
// Invariants: an input is kept as it is (with its history, so that backward can be differentiated again). The
// node's own output is kept without history, because the output's grad_fn is the node: keeping it would be a
// cycle that is never freed; unpack() puts the edge back. unpack() refuses data that was written in place
// since, and data released by an earlier backward. An undefined tensor may be saved and comes back undefined.
// Names follow torch/csrc/autograd/saved_variable.h.
#pragma once

#include <memory>

#include "core/tensor.h"

namespace gb::autograd {

struct Node;

class SavedVariable {
 public:
  SavedVariable() = default;
  // is_output: `variable` is an output of the node that saves it. (For nodes of several outputs: set_history
  // first.)
  SavedVariable(const Tensor& variable, bool is_output);

  // `saved_for`: the node that keeps it; needed for an output, optional for an input.
  Tensor unpack(const std::shared_ptr<Node>& saved_for = nullptr) const;
  void reset_data();  // release: a later unpack() throws

  // For the printed tape.
  const Tensor& peek() const { return data_; }  // undefined once released
  bool is_output() const { return is_output_; }
  bool is_released() const { return state_ == State::kReleased; }
  uint32_t saved_version() const { return saved_version_; }

 private:
  enum class State : uint8_t { kEmpty, kSaved, kReleased };
  [[noreturn]] void throw_released(const Node* saved_for) const;
  [[noreturn]] void throw_modified(const Node* saved_for) const;

  Tensor data_;
  uint32_t saved_version_ = 0;
  uint32_t output_nr_ = 0;
  State state_ = State::kEmpty;
  bool is_output_ = false;
};

}  // namespace gb::autograd
