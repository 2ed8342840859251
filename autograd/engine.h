// Engine: runs a backward pass.
//
//   1. count, for every node reachable from the roots, how many gradients it will get
//   (GraphTask::count_dependencies)
//   2. deliver the roots' gradients; a node whose count reaches 0 goes into the ready queue
//   3. pop a node, run it, check what it returned, deliver that along its edges; until the pass has nothing
//   left
//
// Never recursive in the graph: a chain of a million nodes uses the stack of one. A backward pass may be
// started from inside a node (a Function, a hook): it runs to its end before the outer one goes on. Every
// kMaxStackDepth-th such pass moves to a fresh thread, so that nesting thousands deep does not overflow the
// stack either. The calling thread does the work, but for the nodes of a device with streams, which run on that
// device's worker (engine_threads.h); several threads may run passes at the same time, also over shared leaves. With create_graph, grad mode is on while nodes run, and what they compute is recorded. Names
// follow torch/csrc/autograd/engine.h.
#pragma once

#include <functional>

#include "autograd/node.h"

namespace gb::autograd {

class Engine {
 public:
  static Engine& get_default_engine();

  // roots[i] receives inputs[i]. `outputs` (inputs= of backward and grad): only what leads there runs;
  // without accumulate_grad the gradients that arrive there are returned, one per edge, undefined where none
  // came. allow_unused = false: throws, before anything runs, where an output's edge cannot be reached from
  // the roots.
  variable_list execute(const edge_list& roots, const variable_list& inputs, bool keep_graph,
                        bool create_graph, bool accumulate_grad, const edge_list& outputs = {},
                        bool allow_unused = true);

  // The same, a node at a time: start, then step until it returns null, then finish, which returns execute's result.
  // A started pass lies still between the steps; one that is started before it is finished is stepped first. All on
  // one thread. After an error the pass is over.
  void start(const edge_list& roots, const variable_list& inputs, bool keep_graph, bool create_graph,
             bool accumulate_grad, const edge_list& outputs = {}, bool allow_unused = true);
  std::shared_ptr<Node> step();  // the node that ran
  variable_list finish();        // runs what is left

  // Has `callback` run at the end of the innermost pass of this thread; throws outside of one.
  void queue_callback(std::function<void()> callback);
  // False inside of a pass that was started with inputs=: a checkpoint may not run one of its own then.
  bool is_checkpoint_valid();

  static constexpr uint32_t kMaxStackDepth = 60;  // nested passes on one thread's stack
};

}  // namespace gb::autograd
