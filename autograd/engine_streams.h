// Streams in a backward pass (core/stream.h): every node runs on the stream that was current when it was made, which
// is the stream of its forward call. So the order that the program gave its forward work holds for its backward work.
//
//   within one node     its stream is the thread's current one
//   from node to node   where their streams differ, the consumer's waits for the producer's, and the gradient's memory
//                       is kept from reuse until the consumer's is done with it (record_stream)
//   at the end          the caller's current streams wait for the streams of the pass
//
// A node knows its stream by Node::stream(); nodes on the CPU, and on devices whose work is done when a call returns,
// have none. Nothing here is reached in a pass without such nodes (GraphTask::has_streams). Source: Engine and
// InputBuffer::add (torch/csrc/autograd).
#pragma once

#include <optional>
#include <vector>

#include "autograd/graph_task.h"
#include "core/stream.h"

namespace gb::autograd {

// `stream` is its device's current one on this thread, for a scope. nullopt: nothing changes.
class StreamScope {
 public:
  explicit StreamScope(const std::optional<Stream>& stream);
  ~StreamScope();
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;

 private:
  std::optional<Stream> before_;
};

// GraphTask::deliver, with the streams in order. The gradient was made on this thread's current stream of its device.
uint32_t deliver_on_streams(GraphTask& task, const Edge& edge, Tensor&& grad);

// The end of a pass, on the thread that asked for it.
void join_streams(const GraphTask& task);

// This thread's current streams on all devices that have some, for a thread that goes on in its place.
std::vector<Stream> current_streams();
void set_current_streams(const std::vector<Stream>& streams);

}  // namespace gb::autograd
