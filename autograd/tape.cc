#include "autograd/tape.h"

#include <fmt/format.h>

#include <map>

namespace gb::autograd {
namespace {

// "MulBackward0", "AccumulateGrad (W)"
std::string label(const TapeNode& node) {
  if (!node.is_leaf || node.saved[0].tensor_name.empty()) return node.name;
  return fmt::format("{} ({})", node.name, node.saved[0].tensor_name);
}

std::string numbered(const TapeNode& node) {
  return node.is_leaf ? label(node) : fmt::format("{} #{}", label(node), node.sequence_nr);
}

std::string versions(const TapeSaved& saved) {
  if (!saved.is_written()) return fmt::format("version {}", saved.version);
  return fmt::format("version {}, now {}: written in place since{}, backward will refuse it", saved.version,
                     saved.current, saved.writer.empty() ? "" : " by " + saved.writer);
}

std::string line_of(const TapeSaved& saved) {
  const std::string tensor = fmt::format("{} {}", saved.dtype, to_string(IntArrayRef(saved.sizes)));
  const std::string which = saved.tensor_name.empty() ? "" : saved.tensor_name + ", ";
  switch (saved.kind) {
    case TapeSaved::Kind::kLeaf:
      return "leaf " + tensor;
    case TapeSaved::Kind::kInput:
      return fmt::format("saved {}: {}{}, {}", saved.name, which, tensor, versions(saved));
    case TapeSaved::Kind::kOutput:
      return fmt::format("saved {}: output, {}{}, {}", saved.name, which, tensor, versions(saved));
    case TapeSaved::Kind::kValue:
      return fmt::format("saved {} = {}", saved.name, saved.text);
    case TapeSaved::Kind::kNothing:
      return fmt::format("saved {}: nothing", saved.name);
    case TapeSaved::Kind::kReleased:
      return fmt::format("saved {}: released by backward", saved.name);
    case TapeSaved::Kind::kPacked:
      return fmt::format("saved {}: packed by its hooks", saved.name);
  }
  return {};
}

std::string line_of(const TapeHooks& hooks) {
  std::string text;
  const auto add = [&](size_t count, const char* kind) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "hooks: " : ", ", count, kind);
  };
  add(hooks.tensor, "tensor");
  add(hooks.retains_grad, "retain_grad");
  add(hooks.pre, "pre");
  add(hooks.post, "post");
  add(hooks.post_accumulate_grad, "post-accumulate-grad");
  return text;
}

}  // namespace

std::vector<std::string> lines_of(const TapeNode& node) {
  std::vector<std::string> lines{numbered(node)};
  for (const TapeSaved& saved : node.saved) lines.push_back("  " + line_of(saved));
  if (const std::string hooks = line_of(node.hooks); !hooks.empty()) lines.push_back("  " + hooks);
  for (const TapeNode& inner : node.inner) {
    const char* before = "  around ";
    for (const std::string& line : lines_of(inner)) lines.push_back(std::exchange(before, "  ") + line);
  }
  return lines;
}

std::string format_tape(const TapeGraph& tape) {
  if (tape.nodes.empty()) return "no tape: the tensor has no grad_fn\n";
  std::map<std::string, int> named;
  for (const TapeNode& node : tape.nodes) ++named[label(node)];
  std::string text;
  for (const TapeNode& node : tape.nodes) {
    for (const std::string& line : lines_of(node)) text += line + "\n";
    for (const TapeEdge& edge : node.edges) {
      if (edge.to == TapeEdge::kNowhere) {
        text += "  -> nothing: no gradient wanted\n";
        continue;
      }
      const TapeNode& to = tape.nodes[edge.to];
      text +=
          fmt::format("  -> {} input {}\n", named[label(to)] > 1 ? numbered(to) : label(to), edge.input_nr);
    }
  }
  return text;
}

}  // namespace gb::autograd
