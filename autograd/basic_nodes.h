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

// Forward: hands its inputs on. Backward: throws `message`.
struct DelayedError final : Node {
  DelayedError(std::string message, int64_t num_inputs) : message(std::move(message)), num_inputs(num_inputs) {}
  variable_list apply(variable_list&& inputs) override;
  std::string name() const override { return "DelayedError"; }
  const std::string message;
  const int64_t num_inputs;
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

// Hands its gradients on.
struct Identity final : Node {
  using Node::Node;
  variable_list apply(variable_list&& grads) override { return std::move(grads); }
  std::string name() const override { return "Identity"; }
};

// A root above several tensors: hands each of `functions` the gradient that was given for it.
struct GraphRoot final : Node {
  GraphRoot(edge_list functions, variable_list inputs) : Node(std::move(functions)), outputs(std::move(inputs)) {}
  variable_list apply(variable_list&&) override { return outputs; }
  std::string name() const override { return "GraphRoot"; }
  const variable_list outputs;
};

}  // namespace gb::autograd
