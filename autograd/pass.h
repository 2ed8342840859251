// Pass: one backward pass, from the roots' gradients to the answers, a node at a time.
//
//   Pass pass(queue, roots, gradients, ...);   counts, and delivers the roots' gradients
//   while (pass.step()) {}
//   answers = pass.finish();                   runs the final callbacks
//
// While a pass is entered (PassScope), it is this thread's innermost one: nodes see it by current_graph_task(), and grad
// mode is create_graph's. It is destroyed at any time, also by an error: nothing of it stays in the queue.
#pragma once

#include "autograd/ready_queue.h"
#include "core/autograd_state.h"

namespace gb::autograd {

// What this thread runs. All zero outside of a backward pass.
struct ThreadState {
  GraphTask* task = nullptr;     // of the innermost pass
  Node* node = nullptr;          // the node that runs
  uint32_t depth = 0;            // passes around the next one, also those on threads that wait for this one
  uint32_t stack_depth = 0;      // of them, those on this thread
  bool checkpoint_valid = true;  // is none of them with inputs=?
};
extern constinit thread_local ThreadState current_pass;

// How the pass is to run: the arguments of Engine::execute.
struct PassOptions {
  bool keep_graph, create_graph, accumulate_grad, allow_unused;
};

class Pass {
 public:
  Pass(ReadyQueue& queue, const edge_list& roots, variable_list&& inputs, const PassOptions& options,
       const edge_list& outputs);
  ~Pass() { queue_.drop(task_); }
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

  // Runs the next node. null: there is none left. The pass must be entered.
  Node* step();
  variable_list finish();  // the answers

  GraphTask& task() { return task_; }
  bool create_graph() const { return options_.create_graph; }

 private:
  ReadyQueue& queue_;
  const PassOptions options_;
  GraphTask task_;
};

// This thread is inside of one more pass, for a scope.
class PassScope {
 public:
  explicit PassScope(Pass& pass);
  ~PassScope() { current_pass = before_; }
  PassScope(const PassScope&) = delete;
  PassScope& operator=(const PassScope&) = delete;

 private:
  const ThreadState before_;
  const AutoGradMode grad_mode_;
};

}  // namespace gb::autograd
