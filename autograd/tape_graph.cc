#include "autograd/tape_graph.h"

#include <fmt/format.h>

#include <unordered_map>

#include "autograd/accumulate_grad.h"
#include "autograd/copy_slices.h"
#include "autograd/ready_queue.h"
#include "autograd/saved_variable.h"
#include "autograd/view.h"

namespace gb::autograd {
namespace {

using Kind = TapeSaved::Kind;

void describe(TapeSaved& saved, const Tensor& t, const LeafNames& names) {
  saved.dtype = toString(t.scalar_type());
  saved.sizes = t.sizes().vec();
  for (const auto& [tensor, name] : names) {
    if (tensor.is_same(t)) saved.tensor_name = name;
  }
}

TapeSaved read_saved(const SavedField& field, const LeafNames& names) {
  if (!field.variable) return {.name = field.name, .kind = Kind::kValue, .text = field.text};
  const SavedVariable& variable = *field.variable;
  TapeSaved saved{.name = field.name, .kind = variable.is_output() ? Kind::kOutput : Kind::kInput};
  const Tensor& t = variable.peek();
  if (!t.defined()) {
    saved.kind = variable.is_released() ? Kind::kReleased
                 : variable.has_hooks() ? Kind::kPacked
                                        : Kind::kNothing;
    return saved;
  }
  describe(saved, t, names);
  const VariableVersion& counter = impl::version_counter(t);
  saved.version = variable.saved_version();
  saved.current = counter.current_version();
  if (saved.is_written()) saved.writer = writer_name(counter.last_writer());
  return saved;
}

TapeNode read_node(const Node& node, const LeafNames& names);

TapeSaved read_geometry(const char* name, const Geometry& g) {
  return {.name = name,
          .kind = Kind::kValue,
          .text = fmt::format("sizes {}, strides {}, offset {}", to_string(IntArrayRef(g.sizes)),
                              to_string(IntArrayRef(g.strides)), g.offset)};
}

void read_slices(TapeNode& read, const CopySlices& node, const LeafNames& names) {
  read.saved = {read_geometry("base", node.base), read_geometry("view", node.view)};
  if (node.fn) {
    read.inner.push_back(read_node(*node.fn, names));
  } else {
    read.saved.push_back({.name = "fn", .kind = Kind::kReleased});
  }
}

void read_leaf(TapeNode& read, const AccumulateGrad& node, const LeafNames& names) {
  read.is_leaf = true;
  TapeSaved variable{.name = "variable", .kind = Kind::kLeaf};
  describe(variable, node.variable, names);
  variable.version = variable.current = impl::version_counter(node.variable).current_version();
  read.saved.push_back(std::move(variable));
}

TapeNode read_node(const Node& node, const LeafNames& names) {
  TapeNode read{.name = node.name(), .sequence_nr = node.sequence_nr()};
  if (const auto* leaf = dynamic_cast<const AccumulateGrad*>(&node)) {
    read_leaf(read, *leaf, names);
  } else if (const auto* slices = dynamic_cast<const CopySlices*>(&node)) {
    read_slices(read, *slices, names);
  } else {
    for (const SavedField& field : node.saved()) read.saved.push_back(read_saved(field, names));
  }
  read.hooks = {.tensor = node.tensor_pre_hooks().size(),
                .retains_grad = node.retains_grad_hooks().size(),
                .pre = node.pre_hooks().size(),
                .post = node.post_hooks().size(),
                .post_accumulate_grad = node.tensor_post_acc_grad_hooks() ? size_t{1} : size_t{0}};
  return read;
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

TapeGraph read_tape(const std::shared_ptr<Node>& root, const LeafNames& names) {
  TapeGraph graph;
  if (!root) return graph;
  const std::vector<Node*> nodes = nodes_in_order(root.get());
  std::unordered_map<const Node*, size_t> number;
  for (const Node* node : nodes) {
    number.emplace(node, graph.nodes.size());
    graph.nodes.push_back(read_node(*node, names));
  }
  // From the leaves up. Node::topological_nr() is the same number, but whoever asks for it fixes it.
  for (size_t i = nodes.size(); i-- > 0;) {
    TapeNode& read = graph.nodes[i];
    for (const Edge& edge : nodes[i]->next_edges()) {
      TapeEdge to{.input_nr = edge.input_nr};
      if (edge.is_valid()) {
        to.to = number.at(edge.function.get());
        read.topological_nr = std::max(read.topological_nr, graph.nodes[to.to].topological_nr + 1);
      }
      read.edges.push_back(to);
    }
  }
  return graph;
}

TapeGraph renumbered(TapeGraph tape) {
  uint64_t first = UINT64_MAX;
  for (const TapeNode& node : tape.nodes) first = std::min(first, node.sequence_nr);
  for (TapeNode& node : tape.nodes) {
    if (!node.is_leaf) node.sequence_nr -= first;
    for (TapeNode& inner : node.inner) inner.sequence_nr -= first;
  }
  return tape;
}

TapeGraph read_tape(const Tensor& root, const LeafNames& names) {
  return read_tape(impl::gradient_edge(root).function, names);
}

}  // namespace gb::autograd
