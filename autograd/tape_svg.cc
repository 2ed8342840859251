#include "autograd/tape_svg.h"

#include <fmt/format.h>

#include "autograd/tape.h"
#include "autograd/tape_layout.h"

namespace gb::autograd {
namespace {

constexpr double kCharacter = 6.7, kLine = 14, kPadding = 8;  // pixels, of a monospaced font of size 11

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  return out;
}

TapeLayout::Size size_of(const std::vector<std::string>& lines) {
  size_t longest = 0;
  for (const std::string& line : lines) longest = std::max(longest, line.size());
  return {static_cast<double>(longest) * kCharacter + 2 * kPadding,
          static_cast<double>(lines.size()) * kLine + kPadding};
}

std::string box_svg(const TapeLayout::Box& box, const TapeNode& node, const std::vector<std::string>& lines) {
  std::string text = fmt::format(
      "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" rx=\"{}\" fill=\"{}\" "
      "stroke=\"{}\"/>\n",
      box.left, box.top, box.width, box.height, node.is_leaf ? 8 : 2, node.is_leaf ? "#e5f5e0" : "#f2f6fc",
      node.is_refused() ? "#cb181d" : "#4a5568");
  for (size_t i = 0; i < lines.size(); ++i) {
    text += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\"{} xml:space=\"preserve\">{}</text>\n",
                        box.left + kPadding, box.top + kLine * static_cast<double>(i + 1),
                        i == 0 ? " font-weight=\"bold\"" : "", escaped(lines[i]));
  }
  return text;
}

// Curved between the rows, straight where it passes one.
std::string line_svg(const TapeLayout::Line& line, uint32_t input_nr) {
  const std::vector<TapeLayout::Point>& p = line.points;
  std::string text = fmt::format("<path d=\"M {:.0f} {:.0f}", p[0].x, p[0].y);
  for (size_t i = 1; i < p.size(); ++i) {
    const double middle = (p[i - 1].y + p[i].y) / 2;
    text += i % 2 == 0 ? fmt::format(" L {:.0f} {:.0f}", p[i].x, p[i].y)
                       : fmt::format(" C {:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}", p[i - 1].x, middle,
                                     p[i].x, middle, p[i].x, p[i].y);
  }
  text += "\" fill=\"none\" stroke=\"#4a5568\" marker-end=\"url(#arrow)\"/>\n";
  if (input_nr == 0) return text;
  return text +
         fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", p.back().x + 5, p.back().y - 6, input_nr);
}

}  // namespace

std::string format_tape_svg(const TapeGraph& tape) {
  std::vector<std::vector<std::string>> lines;
  std::vector<TapeLayout::Size> sizes;
  for (const TapeNode& node : tape.nodes) {
    lines.push_back(lines_of(node));
    sizes.push_back(size_of(lines.back()));
  }
  const TapeLayout layout = layout_of(tape, sizes);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\" "
      "font-family=\"monospace\" font-size=\"11\">\n"
      "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" "
      "markerHeight=\"7\" "
      "orient=\"auto\"><path d=\"M 0 0 L 8 4 L 0 8 z\" fill=\"#4a5568\"/></marker></defs>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      layout.width, layout.height);
  for (const TapeLayout::Line& line : layout.lines) {
    text += line_svg(line, tape.nodes[line.from].edges[line.edge].input_nr);
  }
  for (size_t i = 0; i < tape.nodes.size(); ++i) text += box_svg(layout.boxes[i], tape.nodes[i], lines[i]);
  return text + "</svg>\n";
}

}  // namespace gb::autograd
