// Node: one step of the backward pass. It takes the gradients of the outputs of a forward call and returns
// the gradients of that call's inputs; next_edge(i) says who receives number i.
//
//   forward    y = mul(a, b)              grad_fn of y: MulBackward0
//   backward   apply({dy}) -> {da, db}    da goes along next_edge(0), db along next_edge(1)
//
// Invariants: edges point to producers, so the graph has no cycle; a node made later has a larger sequence
// number (AccumulateGrad has the largest of all, so that leaves run as soon as they are ready). A chain of
// any length is destroyed without recursion: see release_node. Names follow torch/csrc/autograd/function.h.
#pragma once

#include <string>

#include "autograd/edge.h"
#include "autograd/input_metadata.h"

namespace gb::autograd {

class SavedVariable;

// One thing a node kept for backward, for the printed tape: a tensor, or any other value as text.
struct SavedField {
  SavedField(std::string name_, const SavedVariable* variable_)
      : name(std::move(name_)), variable(variable_) {}
  SavedField(std::string name_, std::string text_) : name(std::move(name_)), text(std::move(text_)) {}
  std::string name;                         // "self", "dim"
  const SavedVariable* variable = nullptr;  // lives in the node
  std::string text;                         // where there is no variable
};

struct Node : std::enable_shared_from_this<Node> {
  explicit Node(uint64_t sequence_nr, edge_list&& next_edges = {})
      : sequence_nr_(sequence_nr), next_edges_(std::move(next_edges)) {}
  explicit Node(edge_list&& next_edges = {}) : Node(make_sequence_nr(), std::move(next_edges)) {}
  virtual ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // inputs: one per forward output, undefined where no gradient arrived. Returns one per next edge.
  virtual variable_list apply(variable_list&& inputs) = 0;
  variable_list operator()(variable_list&& inputs) { return apply(std::move(inputs)); }

  virtual std::string name() const;    // default: the name of the type, "MulBackward0"
  virtual void release_variables() {}  // drop what was saved; called after apply
  virtual std::vector<SavedField> saved() const { return {}; }  // for the printed tape

  // --- edges: one per differentiable input of the forward call
  const edge_list& next_edges() const { return next_edges_; }
  const Edge& next_edge(size_t i) const { return next_edges_[i]; }
  void set_next_edges(edge_list&& edges) { next_edges_ = std::move(edges); }
  void set_next_edge(size_t i, Edge edge) { next_edges_[i] = std::move(edge); }
  void add_next_edge(Edge edge) { next_edges_.push_back(std::move(edge)); }
  size_t num_outputs() const { return next_edges_.size(); }
  // Does anybody want gradient i? Said when the graph is made; task_... also asks the running graph task,
  // which with inputs= wants fewer.
  bool should_compute_output(size_t i) const { return i < next_edges_.size() && next_edges_[i].is_valid(); }
  bool task_should_compute_output(size_t i) const;

  // --- inputs: one per output of the forward call
  uint32_t num_inputs() const {
    return first_input_given_ ? 1 + static_cast<uint32_t>(more_inputs_.size()) : 0;
  }
  uint32_t add_input_metadata(const Tensor& forward_output) {
    return add_input_metadata(InputMetadata(forward_output));
  }
  uint32_t add_input_metadata(InputMetadata metadata);  // returns its number
  const InputMetadata& input_metadata(size_t i) const { return i == 0 ? first_input_ : more_inputs_[i - 1]; }

  uint64_t sequence_nr() const { return sequence_nr_; }
  std::shared_ptr<Node> getptr() { return shared_from_this(); }

 private:
  static uint64_t make_sequence_nr();  // counts up on each thread

  const uint64_t sequence_nr_;
  edge_list next_edges_;
  InputMetadata first_input_;  // nearly every node has exactly one: no allocation for it
  std::vector<InputMetadata> more_inputs_;
  bool first_input_given_ = false;
};

// The node whose apply() runs on this thread; null outside of a backward pass. Errors name it.
Node* current_node();

// Gives up one reference. If it was the last, the node is destroyed, but never inside the destruction of
// another node: those that become free on the way wait in a list. That is what keeps a long chain off the
// stack.
void release_node(std::shared_ptr<Node>&& node) noexcept;

}  // namespace gb::autograd
