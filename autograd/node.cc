#include "autograd/node.h"

#include <cxxabi.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <typeinfo>

#include "autograd/graph_task.h"
#include "core/device_hooks.h"
#include "core/error.h"

namespace gb::autograd {
namespace {

constinit thread_local uint64_t next_sequence_nr = 0;
std::atomic<uint64_t> threads_seen{0};
constinit thread_local uint64_t this_thread_id = 0;  // 0: not fetched yet

uint64_t thread_id_now() {
  if (this_thread_id == 0) [[unlikely]]
    this_thread_id = ++threads_seen;
  return this_thread_id;
}
// The list of nodes waiting to be given up, while some node is being destroyed on this thread.
constinit thread_local std::vector<std::shared_ptr<Node>>* waiting = nullptr;

}  // namespace

uint64_t Node::make_sequence_nr() { return next_sequence_nr++; }

Node::Node(uint64_t sequence_nr, edge_list&& next_edges)
    : sequence_nr_(sequence_nr), next_edges_(std::move(next_edges)), thread_id_(thread_id_now()) {
  for (const Edge& edge : next_edges_) rise_above(edge);
  if (AnomalyMode::is_enabled()) [[unlikely]] {
    metadata()->store_stack();
    if (Node* parent = current_node()) metadata()->assign_parent(parent->getptr());
  }
}

Node::~Node() {
  for (Edge& edge : next_edges_) release_node(std::move(edge.function));
}

std::string Node::name() const {
  int status = 0;
  char* demangled = abi::__cxa_demangle(typeid(*this).name(), nullptr, nullptr, &status);
  std::string name = status == 0 ? demangled : typeid(*this).name();
  std::free(demangled);
  // gb::(anonymous namespace)::MulBackward0 -> MulBackward0; namespaces inside template arguments stay.
  const size_t from = name.rfind("::", name.find('<'));
  return from == std::string::npos ? name : name.substr(from + 2);
}

uint32_t Node::add_input_metadata(InputMetadata metadata) {
  if (!metadata.device().is_cpu()) [[unlikely]]
    note_stream(metadata.device());
  if (!first_input_given_) {
    first_input_ = std::move(metadata);
    first_input_given_ = true;
    return 0;
  }
  more_inputs_.push_back(std::move(metadata));
  return static_cast<uint32_t>(more_inputs_.size());
}

void Node::note_stream(Device device) {
  if (!Node::device().is_cpu()) return;  // an earlier input has said where the node belongs
  DeviceHooks* hooks = hooks_with_streams(device.type());
  if (!hooks) return;
  const StreamId id = hooks->current_stream(device).id();
  stream_id_ = static_cast<int32_t>(id);
  GB_INTERNAL_ASSERT(stream_id_ == id, "the id of a stream does not fit into 32 bits (core/device_hooks.h)");
  has_stream_ = true;
  any_has_stream_.store(true, std::memory_order_relaxed);
}

void Node::rise_above(const Edge& child) {
  if (!child.is_valid()) return;
  const uint64_t at_least = child.function->topological_nr() + 1;
  if (topological_nr_ >= at_least) return;
  GB_INTERNAL_ASSERT(!has_parent_, "the topological number of a node that has a parent cannot change: " + name());
  topological_nr_ = at_least;
}

void Node::set_next_edges(edge_list&& edges) {
  next_edges_ = std::move(edges);
  for (const Edge& edge : next_edges_) rise_above(edge);
}

void Node::set_next_edge(size_t i, Edge edge) {
  rise_above(edge);
  next_edges_[i] = std::move(edge);
}

void Node::add_next_edge(Edge edge) {
  rise_above(edge);
  next_edges_.push_back(std::move(edge));
}

bool Node::should_compute_output(std::initializer_list<IndexRange> ranges) const {
  for (const auto& [first, end] : ranges) {
    for (size_t i = first; i < end; ++i)
      if (should_compute_output(i)) return true;
  }
  return false;
}

bool Node::task_should_compute_output(size_t i) const {
  if (!should_compute_output(i)) return false;
  const GraphTask* task = current_graph_task();
  return !task || task->is_wanted(next_edges_[i].function.get());
}

bool Node::task_should_compute_output(std::initializer_list<IndexRange> ranges) const {
  for (const auto& [first, end] : ranges) {
    for (size_t i = first; i < end; ++i)
      if (task_should_compute_output(i)) return true;
  }
  return false;
}

Device Node::device() const {
  for (size_t i = 0; i < num_inputs(); ++i) {
    const InputMetadata& input = input_metadata(i);
    if (input.is_defined() && !input.device().is_cpu()) return input.device();
  }
  return kCPU;
}

NodeExtras& Node::extras() {
  if (!extras_) extras_ = std::make_unique<NodeExtras>();
  return *extras_;
}

const NodeExtras& Node::seen_extras() const {
  static const NodeExtras none;
  return extras_ ? *extras_ : none;
}

AnomalyMetadata* Node::metadata() {
  std::unique_ptr<AnomalyMetadata>& anomaly = extras().anomaly;
  if (!anomaly) anomaly = std::make_unique<AnomalyMetadata>();
  return anomaly.get();
}

uintptr_t Node::add_post_hook(std::unique_ptr<FunctionPostHook>&& hook) {
  extras().post_hooks.push_back(std::move(hook));
  return reinterpret_cast<uintptr_t>(extras_->post_hooks.back().get());
}

bool Node::del_post_hook(const uintptr_t& key) {
  return extras_ && std::erase_if(extras_->post_hooks, [&](const std::unique_ptr<FunctionPostHook>& hook) {
           return reinterpret_cast<uintptr_t>(hook.get()) == key;
         }) > 0;
}

std::unique_ptr<FunctionPreHook> Node::pop_retains_grad_hook(size_t output_idx) {
  if (!extras_) return nullptr;
  auto node = extras_->retains_grad_hooks.extract(output_idx);
  return node.empty() ? nullptr : std::move(node.mapped());
}

void release_node(std::shared_ptr<Node>&& node) noexcept {
  if (!node) return;
  if (node.use_count() > 1) {  // not ours to destroy (a race here costs one level of nesting, no more)
    node.reset();
    return;
  }
  if (waiting) {
    waiting->push_back(std::move(node));
    return;
  }
  std::vector<std::shared_ptr<Node>> list;
  waiting = &list;
  node.reset();
  while (!list.empty()) {
    std::shared_ptr<Node> next = std::move(list.back());
    list.pop_back();
    next.reset();
  }
  waiting = nullptr;
}

}  // namespace gb::autograd
