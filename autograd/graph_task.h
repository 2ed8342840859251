// GraphTask: everything one backward pass knows: how many gradients each node still waits for, what has
// arrived so far, and, where inputs= was given, which nodes are worth running.
//
// Invariants: a node's `dependencies` is the number of edges into it from nodes reachable from the roots, so
// when it reaches 0 nothing more can arrive, and the node is ready. All walks over the graph use lists, never
// recursion. Names follow torch/csrc/autograd/graph_task.h.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>

#include "autograd/node.h"
#include "autograd/node_map.h"

namespace gb::autograd {

class ThreadedPass;

struct NodeState {
  Node* node;  // kept alive by the roots' edges
  uint32_t dependencies = 0;
  bool wanted = true;     // run it? (false: nothing that was asked for lies beyond it)
  bool captured = false;  // is a gradient that arrives here itself an answer?
  variable_list inputs;   // the input buffer: the sum of what has arrived, per input
};

// "The gradient that arrives at input `input_nr` of node `state` is answer number `answer`."
struct Capture {
  uint32_t state, input_nr, answer;
};

inline std::atomic<int64_t> next_graph_task_id{0};

class GraphTask {
 public:
  GraphTask(bool keep_graph, bool accumulate_grad, uint32_t depth)
      : keep_graph(keep_graph), accumulate_grad(accumulate_grad), depth(depth) {}

  // Counts the dependencies of everything reachable from `roots`.
  void count_dependencies(const edge_list& roots);
  // inputs=: marks the nodes on a path to one of `targets`. With accumulate_grad these (AccumulateGrad nodes)
  // are to run; without, what arrives at them is an answer. Call after count_dependencies.
  void restrict_to(const edge_list& roots, const edge_list& targets);
  // Sets has_streams. Call last.
  void look_for_streams();

  // Adds a gradient for `edge` to its node's buffer and takes one dependency off. Returns the node's number
  // when that makes it ready, else kNone.
  uint32_t deliver(const Edge& edge, Tensor&& grad);
  // The same where several threads deliver: under `mutex`, but for the sum of two gradients, in which a kernel or a mode
  // may start a backward or queue a callback.
  uint32_t deliver_shared(const Edge& edge, Tensor&& grad, std::mutex& mutex);

  // Does anybody want a gradient for `node`? A node that is not in this pass was asked by somebody who knows
  // (CopySlices, for the view as it was).
  bool is_wanted(const Node* node) const {
    if (reached.empty()) return true;  // everything is
    const uint32_t i = map_.find(node);
    return i == NodeMap::kNone || states[i].wanted || states[i].captured;
  }

  std::vector<NodeState> states;
  std::vector<Capture> captures;
  variable_list answers;      // one per target, undefined where no gradient came
  std::vector<bool> reached;  // per target: is it in the graph at all?
  const bool keep_graph, accumulate_grad;
  const uint32_t depth;  // how many backward passes this one runs inside of
  const int64_t id = next_graph_task_id.fetch_add(1, std::memory_order_relaxed);  // no other pass of the program has it
  uint32_t ready = 0;    // this task's entries in the ready queue
  bool has_streams = false;         // has a node that is to run a stream? (engine_streams.h)
  ThreadedPass* threads = nullptr;  // not null: several threads run the nodes (engine_threads.h)
  std::vector<std::function<void()>> final_callbacks;  // to run at the end of the pass

 private:
  uint32_t state_of(Node* node);

  NodeMap map_;
};

// The task that runs on this thread; null outside of a backward pass.
const GraphTask* current_graph_task();
inline int64_t get_current_graph_task_id() {  // -1 outside of a backward pass
  const GraphTask* task = current_graph_task();
  return task ? task->id : -1;
}

}  // namespace gb::autograd
