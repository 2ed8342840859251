#include "autograd/node.h"

#include <cxxabi.h>

#include <cstdlib>
#include <typeinfo>

#include "autograd/graph_task.h"

namespace gb::autograd {
namespace {

constinit thread_local uint64_t next_sequence_nr = 0;
// The list of nodes waiting to be given up, while some node is being destroyed on this thread.
constinit thread_local std::vector<std::shared_ptr<Node>>* waiting = nullptr;

}  // namespace

uint64_t Node::make_sequence_nr() { return next_sequence_nr++; }

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
  if (!first_input_given_) {
    first_input_ = std::move(metadata);
    first_input_given_ = true;
    return 0;
  }
  more_inputs_.push_back(std::move(metadata));
  return static_cast<uint32_t>(more_inputs_.size());
}

bool Node::task_should_compute_output(size_t i) const {
  if (!should_compute_output(i)) return false;
  const GraphTask* task = current_graph_task();
  return !task || task->is_wanted(next_edges_[i].function.get());
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
