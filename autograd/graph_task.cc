#include "autograd/graph_task.h"

#include <mutex>
#include <utility>

#include "autograd/operators.h"
#include "core/autograd_state.h"

namespace gb::autograd {
namespace {

// The sum of two gradients for one input. Written into `sum` where nobody else can see its memory.
void accumulate(Tensor& sum, Tensor&& grad) {
  const bool ours = !GradMode::is_enabled() && sum.use_count() == 1 && sum.storage().use_count() == 1 &&
                    sum.is_non_overlapping_and_dense() && sum.sizes() == grad.sizes() &&
                    sum.dtype() == grad.dtype() && !sum.requires_grad();
  if (ours) {
    ops::add_(sum, grad);
  } else {
    sum = ops::add(sum, grad);
  }
}

}  // namespace

uint32_t GraphTask::state_of(Node* node) {
  const auto next = static_cast<uint32_t>(states.size());
  const uint32_t i = map_.find_or_insert(node, next);
  if (i == next) states.push_back(NodeState{.node = node, .inputs = {}});
  return i;
}

void GraphTask::count_dependencies(const edge_list& roots) {
  // New states are appended, so the list of states is also the list of nodes still to look at.
  const auto count = [this](const edge_list& edges) {
    for (const Edge& edge : edges) {
      if (edge.is_valid()) ++states[state_of(edge.function.get())].dependencies;
    }
  };
  count(roots);
  for (size_t i = 0; i < states.size(); ++i) count(states[i].node->next_edges());
}

void GraphTask::restrict_to(const edge_list& roots, const edge_list& targets) {
  for (NodeState& state : states) state.wanted = false;
  answers.resize(targets.size());
  reached.resize(targets.size());
  for (uint32_t t = 0; t < targets.size(); ++t) {
    const uint32_t i = targets[t].is_valid() ? map_.find(targets[t].function.get()) : NodeMap::kNone;
    reached[t] = i != NodeMap::kNone;
    if (!reached[t]) continue;
    if (accumulate_grad) {
      states[i].wanted = true;
    } else {
      states[i].captured = true;
      captures.push_back({i, targets[t].input_nr, t});
    }
  }
  // Depth first, so that a node is left after everything beyond it: wanted if anything next to it is.
  struct Frame {
    uint32_t state;
    size_t next_edge;
  };
  std::vector<Frame> path;
  std::vector<bool> entered(states.size());
  const auto enter = [&](const Edge& edge) {
    if (!edge.is_valid()) return;
    const uint32_t i = map_.find(edge.function.get());
    if (entered[i]) return;
    entered[i] = true;
    path.push_back({i, 0});
  };
  for (const Edge& root : roots) {
    enter(root);
    while (!path.empty()) {
      Frame& frame = path.back();
      NodeState& state = states[frame.state];
      const edge_list& edges = state.node->next_edges();
      if (frame.next_edge < edges.size()) {
        enter(edges[frame.next_edge++]);
        continue;
      }
      for (const Edge& edge : edges) {
        state.wanted = state.wanted || (edge.is_valid() && is_wanted(edge.function.get()));
      }
      path.pop_back();
    }
  }
  // As in PyTorch, the hooks of a lone root run even where nothing beyond it is asked for.
  if (roots.size() == 1 && roots[0].is_valid()) states[0].captured = true;
}

void GraphTask::look_for_streams() {
  for (const NodeState& state : states) has_streams |= (state.wanted || state.captured) && state.node->stream().has_value();
}

// [anchor: deliver]
uint32_t GraphTask::deliver(const Edge& edge, Tensor&& grad) {
  const uint32_t i = map_.find(edge.function.get());
  NodeState& state = states[i];
  if (!state.wanted && !state.captured) return NodeMap::kNone;
  if (state.inputs.empty()) state.inputs.resize(state.node->num_inputs());
  if (grad.defined()) {
    Tensor& sum = state.inputs[edge.input_nr];
    if (!sum.defined()) {
      sum = std::move(grad);
    } else {
      accumulate(sum, std::move(grad));
    }
  }
  return --state.dependencies == 0 ? i : NodeMap::kNone;
}

uint32_t GraphTask::deliver_shared(const Edge& edge, Tensor&& grad, std::mutex& mutex) {
  const uint32_t i = map_.find(edge.function.get());
  NodeState& state = states[i];
  if (!state.wanted && !state.captured) return NodeMap::kNone;
  std::unique_lock lock(mutex);
  if (state.inputs.empty()) state.inputs.resize(state.node->num_inputs());
  if (grad.defined()) {
    Tensor& sum = state.inputs[edge.input_nr];
    while (sum.defined()) {  // again where another thread has put one in meanwhile
      Tensor taken_out = std::exchange(sum, Tensor());
      lock.unlock();
      accumulate(taken_out, std::move(grad));
      grad = std::move(taken_out);
      lock.lock();
    }
    sum = std::move(grad);
  }
  return --state.dependencies == 0 ? i : NodeMap::kNone;
}

}  // namespace gb::autograd
