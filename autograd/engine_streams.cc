#include "autograd/engine_streams.h"

#include <algorithm>

#include "autograd/engine_threads.h"
#include "core/device_hooks.h"

namespace gb::autograd {

StreamScope::StreamScope(const std::optional<Stream>& stream) {
  if (!stream) return;
  DeviceHooks* hooks = hooks_with_streams(stream->device_type());
  const Stream current = hooks->current_stream(stream->device());
  if (current == *stream) return;
  hooks->set_current_stream(*stream);
  before_ = current;
}

StreamScope::~StreamScope() {
  if (before_) hooks_with_streams(before_->device_type())->set_current_stream(*before_);
}

uint32_t deliver_on_streams(GraphTask& task, const Edge& edge, Tensor&& grad) {
  const std::optional<Stream> consumer = edge.function->stream();
  DeviceHooks* hooks = consumer && grad.defined() ? hooks_with_streams(grad.device().type()) : nullptr;
  if (hooks) {
    const Stream producer = hooks->current_stream(grad.device());
    if (!(producer == *consumer)) {
      hooks->wait(*consumer, producer);
      hooks->record_stream(grad.storage().data_ptr(), *consumer);
    }
  }
  const StreamScope scope(consumer);  // where the gradient is added to another one
  return task.threads ? task.deliver_shared(edge, std::move(grad), task.threads->mutex) : task.deliver(edge, std::move(grad));
}

void join_streams(const GraphTask& task) {
  std::vector<Stream> joined;
  for (const NodeState& state : task.states) {
    if (!state.wanted && !state.captured) continue;
    const std::optional<Stream> stream = state.node->stream();
    if (!stream || std::find(joined.begin(), joined.end(), *stream) != joined.end()) continue;
    joined.push_back(*stream);
    DeviceHooks* hooks = hooks_with_streams(stream->device_type());
    hooks->wait(hooks->current_stream(stream->device()), *stream);
  }
  for (const Tensor& answer : task.answers) {
    DeviceHooks* hooks = answer.defined() ? hooks_with_streams(answer.device().type()) : nullptr;
    if (hooks) hooks->record_stream(answer.storage().data_ptr(), hooks->current_stream(answer.device()));
  }
}

std::vector<Stream> current_streams() {
  std::vector<Stream> streams;
  for (DeviceType type : {kCUDA, kPrivateUse1}) {
    DeviceHooks* hooks = hooks_with_streams(type);
    const int devices = hooks ? hooks->device_count() : 0;
    for (int i = 0; i < devices; ++i) streams.push_back(hooks->current_stream(Device(type, static_cast<DeviceIndex>(i))));
  }
  return streams;
}

void set_current_streams(const std::vector<Stream>& streams) {
  for (const Stream& stream : streams) hooks_with_streams(stream.device_type())->set_current_stream(stream);
}

}  // namespace gb::autograd
