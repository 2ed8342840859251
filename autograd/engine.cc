#include "autograd/engine.h"

#include <exception>
#include <thread>

#include "autograd/engine_streams.h"
#include "autograd/engine_threads.h"
#include "autograd/validate_outputs.h"
#include "core/error.h"

namespace gb::autograd {
namespace {

// Of this thread: the nodes of all its passes, but for the stepped ones. (gb-queue finds it by this name.)
constinit thread_local ReadyQueue ready_queue;

// A pass that is stepped, with a queue of its own: other passes may run between its steps.
struct SteppedPass {
  SteppedPass(const edge_list& roots_, variable_list&& inputs, const PassOptions& options, const edge_list& outputs)
      : roots(roots_), pass(queue, roots, std::move(inputs), options, outputs) {}
  const edge_list roots;  // they keep the graph alive
  ReadyQueue queue;
  Pass pass;
};

constinit thread_local std::vector<std::unique_ptr<SteppedPass>> stepped_passes;

SteppedPass& innermost_stepped() {
  GB_CHECK_OR_THROW(!stepped_passes.empty(), Error, .what = "Engine: no backward pass was started on this thread",
                    .cause = "step and finish go on with a pass that start began, and that has not ended by an error",
                    .repair = "call start first", .chapter = chapters::kAutograd);
  return *stepped_passes.back();
}

// Runs `f` on a fresh thread that looks like this one, and waits for it.
template <class F>
void on_fresh_stack(F&& f) {
  std::exception_ptr error;
  const ThreadSettings settings;
  const std::vector<Stream> streams = current_streams();
  const std::shared_ptr<SharedQueue> queue = own_queue();
  ThreadState state = current_pass;
  state.stack_depth = 0;
  std::thread([&] {
    settings.apply();
    own_queue() = queue;
    current_pass = state;
    try {
      set_current_streams(streams);
      f();
    } catch (...) {
      error = std::current_exception();
    }
  }).join();
  if (error) std::rethrow_exception(error);
}

variable_list run(const edge_list& roots, variable_list&& inputs, const PassOptions& options,
                  const edge_list& outputs) {
  Pass pass(ready_queue, roots, std::move(inputs), options, outputs);
  if (pass.task().has_streams) [[unlikely]]
    ThreadedPass(pass).run(ready_queue);
  const PassScope scope(pass);
  while (pass.step()) {
  }
  return pass.finish();
}

}  // namespace

Engine& Engine::get_default_engine() {
  static Engine engine;
  return engine;
}

variable_list Engine::execute(const edge_list& roots, const variable_list& inputs, bool keep_graph,
                              bool create_graph, bool accumulate_grad, const edge_list& outputs,
                              bool allow_unused) {
  variable_list grads = inputs;
  validate_outputs(roots, grads, nullptr);
  const PassOptions options{keep_graph, create_graph, accumulate_grad, allow_unused};
  if (current_pass.stack_depth < kMaxStackDepth) return run(roots, std::move(grads), options, outputs);
  variable_list answers;
  on_fresh_stack([&] { answers = run(roots, std::move(grads), options, outputs); });
  return answers;
}

void Engine::start(const edge_list& roots, const variable_list& inputs, bool keep_graph, bool create_graph,
                   bool accumulate_grad, const edge_list& outputs, bool allow_unused) {
  variable_list grads = inputs;
  validate_outputs(roots, grads, nullptr);
  stepped_passes.push_back(std::make_unique<SteppedPass>(
      roots, std::move(grads), PassOptions{keep_graph, create_graph, accumulate_grad, allow_unused}, outputs));
}

std::shared_ptr<Node> Engine::step() {
  SteppedPass& stepped = innermost_stepped();
  try {
    const PassScope scope(stepped.pass);
    Node* node = stepped.pass.step();
    return node ? node->getptr() : nullptr;
  } catch (...) {
    stepped_passes.pop_back();
    throw;
  }
}

variable_list Engine::finish() {
  while (step()) {
  }
  const std::unique_ptr<SteppedPass> stepped = std::move(stepped_passes.back());
  stepped_passes.pop_back();
  const PassScope scope(stepped->pass);
  return stepped->pass.finish();
}

void Engine::queue_callback(std::function<void()> callback) {
  GB_CHECK_OR_THROW(current_pass.task, Error,
                    .what = "queue_callback: Final callbacks can only be installed during backward pass",
                    .cause = "no backward pass runs on this thread",
                    .repair = "call it from a hook or a node's backward", .chapter = chapters::kAutograd);
  GraphTask& task = *current_pass.task;
  std::unique_lock<std::mutex> lock;
  if (task.threads) lock = std::unique_lock(task.threads->mutex);
  task.final_callbacks.push_back(std::move(callback));
}

bool Engine::is_checkpoint_valid() { return current_pass.checkpoint_valid; }

}  // namespace gb::autograd
