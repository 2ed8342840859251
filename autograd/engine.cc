#include "autograd/engine.h"

#include <fmt/format.h>

#include <exception>
#include <thread>

#include "autograd/ready_queue.h"
#include "autograd/validate_outputs.h"
#include "core/autograd_state.h"
#include "core/error.h"
#include "core/warning.h"
#include "dispatcher/local_dispatch_key_set.h"

namespace gb::autograd {
namespace {

struct ThreadState {
  GraphTask* task = nullptr;  // the innermost pass on this thread
  Node* node = nullptr;       // the node that runs
  uint32_t depth = 0;         // passes around the next one, also those on threads that wait for this one
  uint32_t stack_depth = 0;   // of them, those on this thread
};
constinit thread_local ThreadState current;

ReadyQueue& ready_queue() {
  static thread_local ReadyQueue queue;
  return queue;
}

// This thread is inside one more pass for a scope. When it ends by an error, nothing of the pass stays in the
// queue.
class PassScope {
 public:
  PassScope(GraphTask& task, ReadyQueue& queue) : before_(current), task_(task), queue_(queue) {
    current = {&task, nullptr, before_.depth + 1, before_.stack_depth + 1};
  }
  ~PassScope() {
    queue_.drop(task_);
    current = before_;
  }
  PassScope(const PassScope&) = delete;
  PassScope& operator=(const PassScope&) = delete;

 private:
  const ThreadState before_;
  GraphTask& task_;
  ReadyQueue& queue_;
};

// One node: what arrived goes in, what it returns goes on along its edges.
[[gnu::noinline]] void run_node(GraphTask& task, uint32_t state_nr, ReadyQueue& queue) {
  NodeState& state = task.states[state_nr];
  variable_list inputs = std::move(state.inputs);
  if (state.captured) {
    for (const Capture& capture : task.captures) {
      if (capture.state == state_nr) task.answers[capture.answer] = inputs[capture.input_nr];
    }
  }
  if (!state.wanted) return;

  Node& node = *state.node;
  current.node = &node;
  variable_list grads = node(std::move(inputs));
  if (!task.keep_graph) node.release_variables();

  const edge_list& edges = node.next_edges();
  // A leaf's node, and others with nothing after them, may return nothing.
  if (edges.empty() && grads.empty()) return;
  validate_outputs(edges, grads, &node);
  for (size_t i = 0; i < edges.size(); ++i) {
    if (!edges[i].is_valid()) continue;
    const uint32_t ready = task.deliver(edges[i], std::move(grads[i]));
    if (ready != NodeMap::kNone) queue.push(task, ready);
  }
}

void check_all_reached(const GraphTask& task) {
  for (size_t i = 0; i < task.reached.size(); ++i) {
    GB_CHECK_OR_THROW(
        task.reached[i], Error,
        .what = "grad: One of the differentiated Tensors appears to not have been used in the graph",
        .cause = fmt::format("no path leads from the outputs to input {}", i),
        .repair = "give allow_unused=true if this is the desired behavior: its gradient is undefined then",
        .chapter = chapters::kAutograd);
  }
}

// Runs `f` on a fresh thread that looks like this one, and waits for it.
template <class F>
void on_fresh_stack(F&& f) {
  std::exception_ptr error;
  const auto autograd_tls = gb::detail::autograd_tls;
  const auto keys = gb::impl::tls_local_dispatch_key_set_;
  WarningHandler* handler = WarningUtils::get_warning_handler();
  const uint32_t depth = current.depth;
  std::thread([&] {
    gb::detail::autograd_tls = autograd_tls;
    gb::impl::tls_local_dispatch_key_set_ = keys;
    WarningUtils::set_warning_handler(handler);
    current.depth = depth;
    try {
      f();
    } catch (...) {
      error = std::current_exception();
    }
  }).join();
  if (error) std::rethrow_exception(error);
}

}  // namespace

Node* current_node() { return current.node; }
const GraphTask* current_graph_task() { return current.task; }

Engine& Engine::get_default_engine() {
  static Engine engine;
  return engine;
}

variable_list Engine::execute(const edge_list& roots, const variable_list& inputs, bool keep_graph,
                              bool create_graph, bool accumulate_grad, const edge_list& outputs,
                              bool allow_unused) {
  variable_list grads = inputs;
  validate_outputs(roots, grads, nullptr);
  if (current.stack_depth < kMaxStackDepth) {
    return run(roots, std::move(grads), keep_graph, create_graph, accumulate_grad, outputs, allow_unused);
  }
  variable_list answers;
  on_fresh_stack([&] {
    answers = run(roots, std::move(grads), keep_graph, create_graph, accumulate_grad, outputs, allow_unused);
  });
  return answers;
}

variable_list Engine::run(const edge_list& roots, variable_list&& inputs, bool keep_graph, bool create_graph,
                          bool accumulate_grad, const edge_list& outputs, bool allow_unused) {
  GraphTask task(keep_graph, accumulate_grad, current.depth);
  task.count_dependencies(roots);
  if (!outputs.empty()) task.restrict_to(roots, outputs);
  if (!allow_unused) check_all_reached(task);

  const AutoGradMode grad_mode(create_graph);
  ReadyQueue& queue = ready_queue();
  const PassScope scope(task, queue);
  for (size_t i = 0; i < roots.size(); ++i) {
    const uint32_t ready = task.deliver(roots[i], std::move(inputs[i]));
    if (ready != NodeMap::kNone) queue.push(task, ready);
  }
  try {
    while (task.ready > 0) {
      const ReadyNode next = queue.pop();
      GB_INTERNAL_ASSERT(next.task == &task, "a node of another backward pass is on top of the ready queue");
      run_node(task, next.state, queue);
    }
  } catch (gb::Error& error) {
    if (current.node) error.add_context("while backward ran " + current.node->name());
    throw;
  }
  return std::move(task.answers);
}

}  // namespace gb::autograd
