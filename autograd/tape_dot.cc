#include "autograd/tape_dot.h"

#include <fmt/format.h>

#include "autograd/tape.h"

namespace gb::autograd {
namespace {

// "\l" ends a line and sets it to the left.
std::string box_text(const TapeNode& node) {
  std::string text;
  for (const std::string& line : lines_of(node)) {
    for (const char c : line) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += "\\l";
  }
  return text;
}

const char* style(const TapeNode& node) {
  if (node.is_refused()) return ", color=red";
  return node.is_leaf ? ", style=rounded" : "";
}

}  // namespace

std::string format_tape_dot(const TapeGraph& tape) {
  std::string text = "digraph tape {\n  node [shape=box, fontname=\"monospace\", fontsize=10];\n";
  for (size_t i = 0; i < tape.nodes.size(); ++i) {
    text += fmt::format("  n{} [label=\"{}\"{}];\n", i, box_text(tape.nodes[i]), style(tape.nodes[i]));
  }
  for (size_t i = 0; i < tape.nodes.size(); ++i) {
    for (const TapeEdge& edge : tape.nodes[i].edges) {
      if (edge.to == TapeEdge::kNowhere) continue;
      text += fmt::format("  n{} -> n{}{};\n", i, edge.to,
                          edge.input_nr == 0 ? "" : fmt::format(" [headlabel=\"{}\"]", edge.input_nr));
    }
  }
  return text + "}\n";
}

}  // namespace gb::autograd
