// Nodes that belong to no operator. Names follow torch/csrc/autograd/functions/basic_ops.h.
#pragma once

#include "autograd/node.h"

namespace gb::autograd {

// Throws `message` when it runs.
struct Error final : Node {
  explicit Error(std::string message, edge_list&& next_edges = {})
      : Node(std::move(next_edges)), message(std::move(message)) {}
  variable_list apply(variable_list&& grads) override;
  std::string name() const override { return "Error"; }
  const std::string message;
};

// Stands where an operator has no formula: throws when it runs, and names the operator.
struct NotImplemented final : Node {
  explicit NotImplemented(std::string op, edge_list&& next_edges = {})
      : Node(std::move(next_edges)), op(std::move(op)) {}
  variable_list apply(variable_list&& grads) override;
  std::string name() const override { return "NotImplemented"; }
  std::vector<SavedField> saved() const override { return {{"op", op}}; }
  const std::string op;  // "my_ops::foo"
};

// Forward: hands its inputs on. Backward: hands on undefined gradients, which every formula has to bear.
struct UndefinedGrad final : Node {
  variable_list apply(variable_list&& inputs) override;
  std::string name() const override { return "UndefinedGrad"; }
};

}  // namespace gb::autograd
