#include "autograd/tape_json.h"

#include <fmt/format.h>

#include "dispatcher/json.h"

namespace gb::autograd {
namespace {

using json::quoted;
using Kind = TapeSaved::Kind;

std::string or_null(const std::string& text) { return text.empty() ? "null" : quoted(text); }

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::kLeaf:
      return "leaf";
    case Kind::kInput:
      return "input";
    case Kind::kOutput:
      return "output";
    case Kind::kValue:
      return "value";
    case Kind::kNothing:
      return "nothing";
    case Kind::kReleased:
      return "released";
    case Kind::kPacked:
      return "packed";
  }
  return "";
}

std::string saved_json(const TapeSaved& saved) {
  std::vector<json::Member> members{{"name", quoted(saved.name)}, {"kind", quoted(kind_name(saved.kind))}};
  if (saved.kind == Kind::kValue) members.push_back({"text", quoted(saved.text)});
  if (!saved.dtype.empty()) {
    members.insert(members.end(), {{"tensor", or_null(saved.tensor_name)},
                                   {"dtype", quoted(saved.dtype)},
                                   {"sizes", fmt::format("[{}]", fmt::join(saved.sizes, ","))},
                                   {"version", std::to_string(saved.version)},
                                   {"current", std::to_string(saved.current)},
                                   {"writer", or_null(saved.writer)}});
  }
  return json::object(members);
}

std::string edge_json(const TapeEdge& edge) {
  return json::object({{"to", edge.to == TapeEdge::kNowhere ? "null" : std::to_string(edge.to)},
                       {"input_nr", std::to_string(edge.input_nr)}});
}

template <class T>
std::string array_of(const std::vector<T>& values, std::string (*text)(const T&)) {
  std::vector<std::string> elements;
  for (const T& value : values) elements.push_back(text(value));
  return json::array(elements);
}

// What a node and the one inside of a CopySlices both have.
std::vector<json::Member> members_of(const TapeNode& node) {
  const TapeHooks& hooks = node.hooks;
  return {{"name", quoted(node.name)},
          {"leaf", json::boolean(node.is_leaf)},
          {"sequence_nr", node.is_leaf ? "null" : std::to_string(node.sequence_nr)},
          {"saved", array_of(node.saved, saved_json)},
          {"hooks", json::object({{"tensor", std::to_string(hooks.tensor)},
                                  {"retains_grad", std::to_string(hooks.retains_grad)},
                                  {"pre", std::to_string(hooks.pre)},
                                  {"post", std::to_string(hooks.post)},
                                  {"post_accumulate_grad", std::to_string(hooks.post_accumulate_grad)}})}};
}

std::string node_json(size_t id, const TapeNode& node) {
  std::vector<json::Member> members = members_of(node);
  members.insert(members.begin(), {"id", std::to_string(id)});
  members.insert(members.end(),
                 {{"topological_nr", std::to_string(node.topological_nr)},
                  {"edges", array_of(node.edges, edge_json)},
                  {"inner", node.inner.empty() ? "null" : json::object(members_of(node.inner[0]))}});
  return json::object(members);
}

}  // namespace

std::string format_tape_json(const TapeGraph& tape) {
  std::vector<std::string> nodes;
  for (size_t id = 0; id < tape.nodes.size(); ++id) nodes.push_back(node_json(id, tape.nodes[id]));
  return "{\"nodes\":" + json::lines(nodes) + "}\n";
}

}  // namespace gb::autograd
