// ReadyQueue: the nodes of this thread that can run now, in the order in which they will.
//
// Order: a backward pass started inside another one (larger depth) first; within one pass the node made last
// in forward first, so that a branch is finished before its ancestors start, and leaves (largest sequence
// number) at once. Source: ReadyQueue in torch/csrc/autograd/engine.h.
#pragma once

#include <algorithm>
#include <vector>

#include "autograd/graph_task.h"

namespace gb::autograd {

struct ReadyNode {
  GraphTask* task;
  uint32_t state;  // its number in task->states
  uint64_t sequence_nr;

  // "a runs after b"
  friend bool operator<(const ReadyNode& a, const ReadyNode& b) {
    if (a.task->depth != b.task->depth) return a.task->depth < b.task->depth;
    return a.sequence_nr < b.sequence_nr;
  }
};

class ReadyQueue {
 public:
  void push(GraphTask& task, uint32_t state) {
    heap_.push_back({&task, state, task.states[state].node->sequence_nr()});
    std::push_heap(heap_.begin(), heap_.end());
    ++task.ready;
  }
  ReadyNode pop() {
    std::pop_heap(heap_.begin(), heap_.end());
    const ReadyNode top = heap_.back();
    heap_.pop_back();
    --top.task->ready;
    return top;
  }
  // After an error: forgets what is left of the innermost pass. Its entries are all on top.
  void drop(GraphTask& task) {
    while (task.ready > 0) pop();
  }

 private:
  std::vector<ReadyNode> heap_;
};

}  // namespace gb::autograd
