#include "autograd/engine_threads.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <thread>
#include <utility>

#include "autograd/engine_streams.h"
#include "autograd/run_node.h"
#include "core/device_hooks.h"

namespace gb::autograd {

class SharedQueue {
 public:
  explicit SharedQueue(bool is_workers) : is_workers(is_workers) {}

  void push(const ReadyNode& node) {
    {
      const std::lock_guard lock(mutex);
      heap_.push_back(node);
      std::push_heap(heap_.begin(), heap_.end());
    }
    came.notify_one();
  }

  // Runs node after node, until `pass` is over; null: for ever. One thread at a time.
  void work_off(const ThreadedPass* pass) {
    for (;;) {
      std::unique_lock lock(mutex);
      came.wait(lock, [&] { return !heap_.empty() || (pass && pass->is_over()); });
      if (pass && pass->is_over()) return;
      std::pop_heap(heap_.begin(), heap_.end());
      const ReadyNode next = heap_.back();
      heap_.pop_back();
      lock.unlock();
      next.task->threads->run_node(next.state);
    }
  }

  const bool is_workers;  // of a device's worker
  std::mutex mutex;
  std::condition_variable came;  // a node, or the end of a pass that this queue's thread waits for

 private:
  std::vector<ReadyNode> heap_;  // in the order of ReadyQueue
};

namespace {

// The worker's queue; starts the worker at the first call for a device.
SharedQueue& queue_of(Device device) {
  static std::mutex mutex;
  using Queues = std::map<std::pair<DeviceType, DeviceIndex>, std::shared_ptr<SharedQueue>>;
  static auto* queues = new Queues;  // never destroyed: the workers do not end either
  const std::lock_guard lock(mutex);
  std::shared_ptr<SharedQueue>& known = (*queues)[{device.type(), device.index()}];
  if (!known) {
    const auto queue = std::make_shared<SharedQueue>(/*is_workers=*/true);  // known only once its worker has started
    std::thread([device, queue] {
      own_queue() = queue;
      try {
        hooks_with_streams(device.type())->set_current_device(device);
      } catch (const std::exception&) {
        // The device is broken. The first node that uses it says so, in a pass, where somebody can catch it.
      }
      queue->work_off(nullptr);
    }).detach();
    known = queue;
  }
  return *known;
}

}  // namespace

std::shared_ptr<SharedQueue>& own_queue() {
  static thread_local std::shared_ptr<SharedQueue> queue = std::make_shared<SharedQueue>(/*is_workers=*/false);
  return queue;
}

bool is_device_worker() { return own_queue()->is_workers; }

ThreadedPass::ThreadedPass(Pass& pass)
    : task_(pass.task()),
      settings_([&] {
        const AutoGradMode grad_mode(pass.create_graph());
        return ThreadSettings();
      }()),
      state_([&] {
        const PassScope scope(pass);
        return current_pass;
      }()),
      callers_queue_(own_queue()) {
  task_.threads = this;
}

void ThreadedPass::run(ReadyQueue& ready) {
  try {
    while (task_.ready > 0) push(ready.pop().state);
  } catch (...) {
    fail();
  }
  finish_one();
  callers_queue_->work_off(this);
  task_.threads = nullptr;
  if (error_) std::rethrow_exception(error_);
}

void ThreadedPass::push(uint32_t state) {
  Node* node = task_.states[state].node;
  const std::optional<Stream> stream = node->stream();
  SharedQueue& queue = stream ? queue_of(stream->device()) : *callers_queue_;
  ++unfinished_;
  try {
    queue.push({&task_, state, node->sequence_nr()});
  } catch (...) {
    --unfinished_;  // not to 0: whoever pushes counts as well
    throw;
  }
}

void ThreadedPass::run_node(uint32_t state) {
  if (!failed_) {
    const ThreadSettings own;
    const ThreadState before = current_pass;
    settings_.apply();
    current_pass = state_;
    current_pass.node = task_.states[state].node;
    current_pass.stack_depth = before.stack_depth + 1;
    try {
      const StreamScope scope(current_pass.node->stream());
      autograd::run_node(task_, state, nullptr);
    } catch (...) {
      fail();
      try {
        note_failure(*current_pass.node);
      } catch (...) {
        // A warning handler that throws. The pass fails with the node's error.
      }
    }
    current_pass = before;
    own.apply();
  }
  finish_one();
}

void ThreadedPass::fail() {
  const std::lock_guard lock(mutex);
  if (!error_) error_ = std::current_exception();
  failed_ = true;
}

void ThreadedPass::finish_one() {
  // The pass may be gone as soon as the count is 0 and the lock is given back.
  const std::shared_ptr<SharedQueue> queue = callers_queue_;
  const std::lock_guard lock(queue->mutex);
  if (--unfinished_ == 0) queue->came.notify_all();
}

void hand_on(GraphTask& task, const edge_list& edges, variable_list& grads, ReadyQueue* queue) {
  for (size_t i = 0; i < edges.size(); ++i) {
    if (!edges[i].is_valid()) continue;
    const uint32_t ready = deliver_on_streams(task, edges[i], std::move(grads[i]));
    if (ready == NodeMap::kNone) continue;
    task.threads ? task.threads->push(ready) : queue->push(task, ready);
  }
}

}  // namespace gb::autograd
