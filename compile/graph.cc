#include "compile/graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "compile/sanitize_name.h"

namespace gb::compiler {

TensorMeta TensorMeta::of(const Tensor& t) {
  return {t.sizes().vec(), t.strides().vec(), t.storage_offset(), t.scalar_type()};
}

int64_t TensorMeta::numel() const {
  int64_t n = 1;
  for (int64_t s : sizes) n *= s;
  return n;
}

bool TensorMeta::is_contiguous() const {
  int64_t expected = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    if (sizes[d] != 1 && strides[d] != expected) return numel() == 0;
    expected *= sizes[d];
  }
  return true;
}

const TensorMeta& Graph::meta(const ValueRef& v) const {
  return v.is_input ? inputs[v.index].meta : nodes[v.index].results[v.output];
}

const std::string& Graph::name(const ValueRef& v) const {
  return v.is_input ? inputs[v.index].name : nodes[v.index].names[v.output];
}

std::string Graph::unique_name(const std::string& wish) const {
  const auto taken = [&](const std::string& name) {
    for (const GraphInput& input : inputs) {
      if (input.name == name) return true;
    }
    for (const Node& node : nodes) {
      if (std::find(node.names.begin(), node.names.end(), name) != node.names.end()) return true;
    }
    return false;
  };
  const std::string base = sanitize_name(wish);
  std::string name = base;
  for (int i = 1; taken(name); ++i) name = fmt::format("{}_{}", base, i);
  return name;
}

void Graph::eliminate_dead_code() {
  std::vector<bool> used(nodes.size(), false);
  const auto use = [&](const ValueRef& v) {
    if (!v.is_input) used[v.index] = true;
  };
  for (const ValueRef& v : outputs) use(v);
  for (size_t i = nodes.size(); i-- > 0;) {
    if (nodes[i].results.empty()) used[i] = true;  // called for nothing but an effect
    if (!used[i]) continue;
    for (const Argument& arg : nodes[i].args) {
      for (const ValueRef& v : arg.refs) use(v);
    }
  }
  std::vector<int> new_index(nodes.size(), -1);
  std::vector<Node> kept;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!used[i]) continue;
    new_index[i] = static_cast<int>(kept.size());
    kept.push_back(std::move(nodes[i]));
  }
  const auto renumber = [&](ValueRef& v) {
    if (!v.is_input) v.index = new_index[v.index];
  };
  for (Node& node : kept) {
    for (Argument& arg : node.args) {
      for (ValueRef& v : arg.refs) renumber(v);
    }
  }
  for (ValueRef& v : outputs) renumber(v);
  nodes = std::move(kept);
}

}  // namespace gb::compiler
