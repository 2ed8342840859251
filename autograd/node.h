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

#include <atomic>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "autograd/edge.h"
#include "autograd/input_metadata.h"
#include "autograd/node_extras.h"
#include "core/stream.h"

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

using IndexRange = std::pair<size_t, size_t>;  // [first, second)

struct Node : std::enable_shared_from_this<Node> {
  explicit Node(uint64_t sequence_nr, edge_list&& next_edges = {});
  explicit Node(edge_list&& next_edges = {}) : Node(make_sequence_nr(), std::move(next_edges)) {}
  virtual ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // inputs: one per forward output, undefined where no gradient arrived. Returns one per next edge. Hooks are not run.
  variable_list operator()(variable_list&& inputs) { return apply(std::move(inputs)); }

  virtual std::string name() const;    // default: the name of the type, "MulBackward0"
  virtual void release_variables() {}  // drop what was saved; called after apply
  virtual std::vector<SavedField> saved() const { return {}; }  // for the printed tape

  // --- edges: one per differentiable input of the forward call
  const edge_list& next_edges() const { return next_edges_; }
  const Edge& next_edge(size_t i) const { return next_edges_[i]; }
  void set_next_edges(edge_list&& edges);
  void set_next_edge(size_t i, Edge edge);
  void add_next_edge(Edge edge);
  size_t num_outputs() const { return next_edges_.size(); }
  // Does anybody want gradient i? Said when the graph is made; task_... also asks the running graph task,
  // which with inputs= wants fewer. Of ranges: any of them?
  bool should_compute_output(size_t i) const { return i < next_edges_.size() && next_edges_[i].is_valid(); }
  bool should_compute_output(std::initializer_list<IndexRange> ranges) const;
  bool task_should_compute_output(size_t i) const;
  bool task_should_compute_output(std::initializer_list<IndexRange> ranges) const;

  // --- inputs: one per output of the forward call
  uint32_t num_inputs() const {
    return first_input_given_ ? 1 + static_cast<uint32_t>(more_inputs_.size()) : 0;
  }
  struct undefined_input {};  // for an output that has no gradient
  uint32_t add_input_metadata(undefined_input) { return add_input_metadata(InputMetadata()); }
  uint32_t add_input_metadata(const Tensor& forward_output) {
    return add_input_metadata(InputMetadata(forward_output));
  }
  uint32_t add_input_metadata(InputMetadata metadata);  // returns its number
  const InputMetadata& input_metadata(size_t i) const { return i == 0 ? first_input_ : more_inputs_[i - 1]; }
  Device device() const;  // of the first input that is not on the CPU
  // That device's current stream when the node was made; nullopt where it has none (core/device_hooks.h).
  std::optional<Stream> stream() const {
    return has_stream_ ? std::optional(Stream(Stream::UNSAFE, device(), stream_id_)) : std::nullopt;
  }
  static bool any_has_stream() { return any_has_stream_.load(std::memory_order_relaxed); }  // of all nodes so far

  // --- identity. Sequence numbers count up on each thread, so that a node is known by number and thread.
  uint64_t sequence_nr() const { return sequence_nr_; }
  uint64_t thread_id() const { return thread_id_; }
  // The length of the longest path to a leaf: where there is a path from a to b, a's is the larger. It may not change
  // any more once somebody has asked.
  uint64_t topological_nr() const {
    has_parent_.store(true, std::memory_order_relaxed);
    return topological_nr_;
  }
  std::shared_ptr<Node> getptr() { return shared_from_this(); }
  AnomalyMetadata* metadata();  // made on the first call

  // --- hooks. The engine runs them (run_node.h); most nodes have none.
  void add_pre_hook(std::unique_ptr<FunctionPreHook>&& hook) { extras().pre_hooks.push_back(std::move(hook)); }
  uintptr_t add_post_hook(std::unique_ptr<FunctionPostHook>&& hook);  // a key for del_post_hook
  bool del_post_hook(const uintptr_t& key);                           // false: there is none of this key
  void add_tensor_pre_hook(std::unique_ptr<FunctionPreHook>&& hook) {
    extras().tensor_pre_hooks.push_back(std::move(hook));
  }
  void add_retains_grad_hook(std::unique_ptr<FunctionPreHook>&& hook, size_t output_idx) {
    extras().retains_grad_hooks[output_idx] = std::move(hook);
  }
  std::unique_ptr<FunctionPreHook> pop_retains_grad_hook(size_t output_idx);  // null: there is none
  // A leaf's hooks hang on the leaf, so nodes at the end of the graph have to be asked.
  bool may_have_hooks() const { return extras_ != nullptr || next_edges_.empty(); }
  const PreHooks& pre_hooks() const { return seen_extras().pre_hooks; }
  const std::vector<std::unique_ptr<FunctionPostHook>>& post_hooks() const { return seen_extras().post_hooks; }
  const std::map<size_t, std::unique_ptr<FunctionPreHook>>& retains_grad_hooks() const {
    return seen_extras().retains_grad_hooks;
  }
  virtual const PreHooks& tensor_pre_hooks() const { return seen_extras().tensor_pre_hooks; }
  virtual PostAccumulateGradHook* tensor_post_acc_grad_hooks() const { return nullptr; }

 protected:
  virtual variable_list apply(variable_list&& inputs) = 0;

 private:
  static uint64_t make_sequence_nr();  // counts up on each thread
  void rise_above(const Edge& child);
  void note_stream(Device device);
  NodeExtras& extras();
  const NodeExtras& seen_extras() const;  // an empty one where there is none

  const uint64_t sequence_nr_;
  edge_list next_edges_;
  InputMetadata first_input_;  // nearly every node has exactly one: no allocation for it
  std::vector<InputMetadata> more_inputs_;
  std::unique_ptr<NodeExtras> extras_;
  uint64_t thread_id_;
  uint64_t topological_nr_ = 0;
  mutable std::atomic<bool> has_parent_ = false;  // two threads may make nodes over one leaf
  bool first_input_given_ = false;
  bool has_stream_ = false;
  int32_t stream_id_ = 0;
  static inline std::atomic<bool> any_has_stream_ = false;
};

// The node whose apply() runs on this thread; null outside of a backward pass. Errors name it.
Node* current_node();
// Another node for a scope: one that runs inside of a node.
class CurrentNodeScope {
 public:
  explicit CurrentNodeScope(Node* node);
  ~CurrentNodeScope();
  CurrentNodeScope(const CurrentNodeScope&) = delete;
  CurrentNodeScope& operator=(const CurrentNodeScope&) = delete;

 private:
  Node* const before_;
};

// Gives up one reference. If it was the last, the node is destroyed, but never inside the destruction of
// another node: those that become free on the way wait in a list. That is what keeps a long chain off the
// stack.
void release_node(std::shared_ptr<Node>&& node) noexcept;

}  // namespace gb::autograd
