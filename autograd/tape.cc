#include "autograd/tape.h"

#include <fmt/format.h>

#include "autograd/accumulate_grad.h"
#include "autograd/autograd_meta.h"
#include "autograd/ready_queue.h"
#include "autograd/saved_variable.h"

namespace gb::autograd {
namespace {

std::string label(Node& node, const LeafNames& names) {
  const auto* leaf = dynamic_cast<AccumulateGrad*>(&node);
  if (!leaf) return node.name();
  for (const auto& [tensor, name] : names) {
    if (tensor.is_same(leaf->variable)) return fmt::format("AccumulateGrad ({})", name);
  }
  return "AccumulateGrad";
}

std::string describe(const SavedField& field, const LeafNames& names) {
  if (!field.variable) return fmt::format("{} = {}", field.name, field.text);
  const SavedVariable& saved = *field.variable;
  if (saved.is_released()) return field.name + ": released by backward";
  const Tensor& t = saved.peek();
  if (!t.defined()) return field.name + ": nothing";
  std::string which = saved.is_output() ? "output, " : "";
  for (const auto& [tensor, name] : names) {
    if (tensor.is_same(t)) which = name + ", ";
  }
  return fmt::format("{}: {}{} {}, version {}", field.name, which, toString(t.scalar_type()),
                     to_string(t.sizes()), saved.saved_version());
}

void append(std::string& text, Node& node, const LeafNames& names) {
  text += label(node, names);
  if (const auto* leaf = dynamic_cast<AccumulateGrad*>(&node)) {
    text += fmt::format("\n  leaf {} {}\n", toString(leaf->variable.scalar_type()),
                        to_string(leaf->variable.sizes()));
    return;
  }
  text += fmt::format(" #{}\n", node.sequence_nr());
  for (const SavedField& field : node.saved()) text += fmt::format("  saved {}\n", describe(field, names));
  for (const Edge& edge : node.next_edges()) {
    text += edge.is_valid() ? fmt::format("  -> {} input {}\n", label(*edge.function, names), edge.input_nr)
                            : std::string("  -> nothing: no gradient wanted\n");
  }
}

}  // namespace

std::vector<Node*> nodes_in_order(Node* root) {
  // The order of a backward pass, with nothing run: the same counts, the same queue.
  GraphTask task(/*keep_graph=*/true, /*accumulate_grad=*/false, /*depth=*/0);
  const edge_list roots{Edge(root->shared_from_this(), 0)};
  task.count_dependencies(roots);
  ReadyQueue queue;
  std::vector<Node*> order;
  if (const uint32_t first = task.deliver(roots[0], {}); first != NodeMap::kNone) queue.push(task, first);
  while (task.ready > 0) {
    Node* node = task.states[queue.pop().state].node;
    order.push_back(node);
    for (const Edge& edge : node->next_edges()) {
      if (!edge.is_valid()) continue;
      if (const uint32_t next = task.deliver(edge, {}); next != NodeMap::kNone) queue.push(task, next);
    }
  }
  return order;
}

std::string format_tape(const std::shared_ptr<Node>& root, const LeafNames& names) {
  if (!root) return "no tape: the tensor has no grad_fn\n";
  std::string text;
  for (Node* node : nodes_in_order(root.get())) append(text, *node, names);
  return text;
}

std::string format_tape(const Tensor& root, const LeafNames& names) {
  return format_tape(impl::gradient_edge(root).function, names);
}

}  // namespace gb::autograd
