// Threads of a backward pass: nodes of a device with streams run on that device's own worker thread, all others on the
// thread that called backward. So the host's work for several devices goes on side by side, and a callback or hook
// that waits for a device holds up only that device.
//
//   caller's queue   <- nodes on the CPU          run by the thread that called backward, until its pass is over
//   device's queue   <- nodes with that device    run by the device's worker, which starts at the first such node
//
// A worker that runs a node which calls backward itself goes on with its queue inside of that call, until the inner
// pass is over; it may run nodes of other passes meanwhile. So a thread that waits always works, and nothing waits for
// ever. An error ends its own pass: nodes of it that are still in queues are passed over, and the caller throws it.
// Workers live as long as the program. Source: Engine::thread_main and execute_with_graph_task
// (torch/csrc/autograd/engine.cpp).
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>

#include "autograd/pass.h"
#include "autograd/thread_settings.h"

namespace gb::autograd {

class SharedQueue;

// The queue that this thread works off: a device's for its worker, else one of its own. A thread that goes on in
// another one's place takes it over.
std::shared_ptr<SharedQueue>& own_queue();
bool is_device_worker();  // this thread, or the one in whose place it goes on

// One pass that runs on several threads. Its GraphTask is changed under `mutex` only.
class ThreadedPass {
 public:
  explicit ThreadedPass(Pass& pass);

  // Runs what `ready` holds of the pass, and all that follows. Throws what a node threw.
  void run(ReadyQueue& ready);

  void push(uint32_t state);     // to the queue of the node's device. From a thread that runs a node of this pass
  void run_node(uint32_t state);  // on the thread whose queue it was in
  bool is_over() const { return unfinished_ == 0; }

  std::mutex mutex;

 private:
  void finish_one();
  void fail();  // in a catch block

  GraphTask& task_;
  const ThreadSettings settings_;  // of the caller
  const ThreadState state_;        // what nodes see as current_pass, but for the node and the depth of the stack
  const std::shared_ptr<SharedQueue> callers_queue_;
  // Nodes that are in a queue or run, and 1 while the caller pushes. Taken to 0 under the caller's queue's lock.
  std::atomic<size_t> unfinished_ = 1;
  std::atomic<bool> failed_ = false;
  std::exception_ptr error_;  // the first; under `mutex`
};

// The end of run_node in a task with streams: the gradients go along the edges, and nodes that become ready into their
// queues; into `queue` where one thread runs them all.
void hand_on(GraphTask& task, const edge_list& edges, variable_list& grads, ReadyQueue* queue);

}  // namespace gb::autograd
