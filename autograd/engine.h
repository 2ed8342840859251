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
// stack either. The calling thread does the work; several threads may run passes at the same time, also over
// shared leaves. With create_graph, grad mode is on while nodes run, and what they compute is recorded. Names
// follow torch/csrc/autograd/engine.h.
#pragma once

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

  static constexpr uint32_t kMaxStackDepth = 60;  // nested passes on one thread's stack

 private:
  variable_list run(const edge_list& roots, variable_list&& inputs, bool keep_graph, bool create_graph,
                    bool accumulate_grad, const edge_list& outputs, bool allow_unused);
};

}  // namespace gb::autograd
