#include "autograd/pass.h"

#include <fmt/format.h>

#include "autograd/engine_streams.h"
#include "autograd/run_node.h"
#include "core/error.h"

namespace gb::autograd {
namespace {

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

}  // namespace

constinit thread_local ThreadState current_pass;

Node* current_node() { return current_pass.node; }
CurrentNodeScope::CurrentNodeScope(Node* node) : before_(std::exchange(current_pass.node, node)) {}
CurrentNodeScope::~CurrentNodeScope() { current_pass.node = before_; }

const GraphTask* current_graph_task() { return current_pass.task; }

PassScope::PassScope(Pass& pass) : before_(current_pass), grad_mode_(pass.create_graph()) {
  current_pass = {&pass.task(), nullptr, before_.depth + 1, before_.stack_depth + 1,
                  before_.checkpoint_valid && pass.task().reached.empty()};
}

Pass::Pass(ReadyQueue& queue, const edge_list& roots, variable_list&& inputs, const PassOptions& options,
           const edge_list& outputs)
    : queue_(queue), options_(options), task_(options.keep_graph, options.accumulate_grad, current_pass.depth) {
  task_.count_dependencies(roots);
  if (!outputs.empty()) task_.restrict_to(roots, outputs);
  if (!options.allow_unused) check_all_reached(task_);
  if (Node::any_has_stream()) [[unlikely]]
    task_.look_for_streams();
  const AutoGradMode grad_mode(options.create_graph);
  for (size_t i = 0; i < roots.size(); ++i) {
    const uint32_t ready = task_.has_streams ? deliver_on_streams(task_, roots[i], std::move(inputs[i]))
                                             : task_.deliver(roots[i], std::move(inputs[i]));
    if (ready != NodeMap::kNone) queue_.push(task_, ready);
  }
}

Node* Pass::step() {
  if (task_.ready == 0) return nullptr;
  const ReadyNode next = queue_.pop();
  GB_INTERNAL_ASSERT(next.task == &task_, "a node of another backward pass is on top of the ready queue");
  Node* node = task_.states[next.state].node;
  current_pass.node = node;
  try {
    if (task_.has_streams) [[unlikely]] {
      const StreamScope scope(node->stream());
      run_node(task_, next.state, &queue_);
    } else {
      run_node(task_, next.state, &queue_);
    }
  } catch (...) {
    note_failure(*node);
    throw;
  }
  return node;
}

variable_list Pass::finish() {
  current_pass.node = nullptr;
  if (task_.has_streams) [[unlikely]]
    join_streams(task_);
  // By number: a callback may queue another one.
  for (size_t i = 0; i < task_.final_callbacks.size(); ++i) std::function<void()>(task_.final_callbacks[i])();
  return std::move(task_.answers);
}

}  // namespace gb::autograd
