#include "labs/minigpt/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace gb::labs {
namespace {

struct Range {
  double low, high;
  // 0 at the low end, 1 at the high one.
  double place(double value) const { return (value - low) / (high - low); }
};

Range range_of(const std::vector<double>& losses) {
  Range range{INFINITY, -INFINITY};
  for (double loss : losses) {
    if (!std::isfinite(loss)) continue;
    range.low = std::min(range.low, loss);
    range.high = std::max(range.high, loss);
  }
  if (!(range.low < range.high)) {  // no finite loss, or all the same
    const double middle = std::isfinite(range.low) ? range.low : 0;
    return {middle - 0.5, middle + 0.5};
  }
  return range;
}

// The mean of the finite losses in [first, end).
std::optional<double> mean(const std::vector<double>& losses, size_t first, size_t end) {
  double sum = 0;
  int count = 0;
  for (size_t i = first; i < end; ++i) {
    if (std::isfinite(losses[i])) sum += losses[i], ++count;
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

}  // namespace

std::string ascii_curve(const std::vector<double>& losses, int columns, int rows) {
  const Range range = range_of(losses);
  const size_t shown = std::min(losses.size(), static_cast<size_t>(columns));
  std::vector<std::string> lines(static_cast<size_t>(rows), std::string(shown, ' '));
  for (size_t column = 0; column < shown; ++column) {
    const auto value = mean(losses, column * losses.size() / shown, (column + 1) * losses.size() / shown);
    if (!value) continue;
    const double from_top = (1 - range.place(*value)) * (rows - 1);
    lines[static_cast<size_t>(std::lround(from_top))][column] = '*';
  }
  std::string text;
  for (int row = 0; row < rows; ++row) {
    const double value = range.high - (range.high - range.low) * row / std::max(rows - 1, 1);
    text += fmt::format("{:8.3f} |{}\n", value, lines[static_cast<size_t>(row)]);
  }
  const std::string steps = std::to_string(losses.size());
  return text + fmt::format("{:8} +{:-<{}}\n{:8}  1{:>{}}\n", "", "", shown, "", steps, shown > 1 ? shown - 1 : 1);
}

std::string svg_curve(const std::vector<double>& losses) {
  constexpr double kWidth = 640, kHeight = 320, kLeft = 56, kTop = 16, kRight = 16, kBottom = 40;
  const Range range = range_of(losses);
  const double steps = static_cast<double>(std::max<size_t>(losses.size() - 1, 1));
  const auto x = [&](double step) { return kLeft + (kWidth - kLeft - kRight) * step / steps; };
  const auto y = [&](double loss) { return kTop + (kHeight - kTop - kBottom) * (1 - range.place(loss)); };
  std::string points;
  for (size_t i = 0; i < losses.size(); ++i) {
    if (std::isfinite(losses[i])) points += fmt::format("{:.1f},{:.1f} ", x(static_cast<double>(i)), y(losses[i]));
  }
  std::string svg = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" font-family="sans-serif" font-size="12">
<title>Loss of the grammar MiniGPT</title>
<rect width="{0}" height="{1}" fill="white"/>
)",
      kWidth, kHeight);
  for (int i = 0; i <= 4; ++i) {
    const double loss = range.low + (range.high - range.low) * i / 4;
    svg += fmt::format(
        "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#dddddd\"/>\n"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:.2f}</text>\n",
        kLeft, kWidth - kRight, y(loss), kLeft - 6, y(loss) + 4, loss);
  }
  svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"1.5\"/>\n", points);
  svg += fmt::format(
      "<text x=\"{}\" y=\"{}\">step 1</text>\n<text x=\"{}\" y=\"{}\" text-anchor=\"end\">step {}</text>\n</svg>\n", kLeft,
      kHeight - 16, kWidth - kRight, kHeight - 16, losses.size());
  return svg;
}

}  // namespace gb::labs
