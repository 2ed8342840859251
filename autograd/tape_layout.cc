#include "autograd/tape_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace gb::autograd {
namespace {

constexpr double kGap = 24, kRowGap = 44, kMargin = 16,
                 kPassing = 8;  // pixels; the last: the width of a passing line
constexpr size_t kMaxItems = 20000;
constexpr int kSweeps = 8;

// One end of a piece of a line, seen from its other end.
struct Neighbour {
  size_t item;
  double port;  // where the line meets the item: from -0.5, its left side, to 0.5
};

// A box, or the place where a line passes a row.
struct Item {
  size_t row;
  double width;
  double x = 0;  // the middle
  std::vector<Neighbour> above{}, below{};
};

struct Rows {
  std::vector<Item> items;                // the nodes first
  std::vector<std::vector<size_t>> rows;  // from left to right
  std::vector<std::vector<size_t>> ways;  // per line: the items from box to box

  size_t add(size_t row, double width) {
    items.push_back({row, width});
    if (rows.size() <= row) rows.resize(row + 1);
    rows[row].push_back(items.size() - 1);
    return items.size() - 1;
  }
  // port: of the line on the upper item.
  void link(size_t upper, double port, size_t lower) {
    items[upper].below.push_back({lower, 0});
    items[lower].above.push_back({upper, port});
  }
};

// Where line `i` of `count` meets a side of a box, from 0 to 1.
double port(size_t i, size_t count) { return static_cast<double>(i + 1) / static_cast<double>(count + 1); }

std::vector<size_t> row_numbers(const TapeGraph& tape) {
  std::vector<size_t> row(tape.nodes.size(), 0);
  for (size_t i = 0; i < tape.nodes.size(); ++i) {
    for (const TapeEdge& edge : tape.nodes[i].edges) {
      if (edge.to != TapeEdge::kNowhere) row[edge.to] = std::max(row[edge.to], row[i] + 1);
    }
  }
  return row;
}

Rows rows_of(const TapeGraph& tape, const std::vector<TapeLayout::Size>& sizes) {
  Rows made;
  const std::vector<size_t> row = row_numbers(tape);
  for (size_t i = 0; i < row.size(); ++i) made.add(row[i], sizes[i].width);
  for (size_t i = 0; i < row.size(); ++i) {
    const std::vector<TapeEdge>& edges = tape.nodes[i].edges;
    for (size_t e = 0; e < edges.size(); ++e) {
      const TapeEdge& edge = edges[e];
      if (edge.to == TapeEdge::kNowhere) continue;
      std::vector<size_t> way{i};
      for (size_t passed = row[i] + 1; passed < row[edge.to]; ++passed)
        way.push_back(made.add(passed, kPassing));
      way.push_back(edge.to);
      for (size_t k = 1; k < way.size(); ++k)
        made.link(way[k - 1], k == 1 ? port(e, edges.size()) - 0.5 : 0, way[k]);
      made.ways.push_back(std::move(way));
      GB_CHECK_OR_THROW(made.items.size() <= kMaxItems, ValueError,
                        .what = "format_tape_svg: the tape is too large to draw",
                        .cause = fmt::format("{} nodes, and more than {} boxes and lines that pass a row",
                                             tape.nodes.size(), kMaxItems),
                        .repair = "start from a tensor further down the tape, or print it as text",
                        .chapter = chapters::kAutograd);
    }
  }
  return made;
}

// The mean of `where` over the neighbours on one side; `own` where there are none.
template <class Where>
double mean(const std::vector<Neighbour>& neighbours, double own, const Where& where) {
  if (neighbours.empty()) return own;
  double sum = 0;
  for (const Neighbour& n : neighbours) sum += where(n);
  return sum / static_cast<double>(neighbours.size());
}

const std::vector<Neighbour>& side(const Item& item, bool above) { return above ? item.above : item.below; }

// Calls visit(row, above) for all rows, from the top looking up, then from the bottom looking down, by turns.
template <class Visit>
void sweep(Rows& made, const Visit& visit) {
  for (int i = 0; i < kSweeps; ++i) {
    for (size_t r = 0; r < made.rows.size(); ++r) visit(made.rows[r], true);
    for (size_t r = made.rows.size(); r-- > 0;) visit(made.rows[r], false);
  }
}

void order(Rows& made) {
  std::vector<double> place(made.items.size());
  const auto number = [&](const std::vector<size_t>& row) {
    for (size_t i = 0; i < row.size(); ++i) place[row[i]] = static_cast<double>(i);
  };
  for (const auto& row : made.rows) number(row);
  const auto reorder = [&](std::vector<size_t>& row, bool above) {
    std::vector<double> wish(made.items.size());
    for (const size_t i : row) {
      wish[i] = mean(side(made.items[i], above), place[i],
                     [&](const Neighbour& n) { return place[n.item] + n.port; });
    }
    std::stable_sort(row.begin(), row.end(), [&](size_t a, size_t b) { return wish[a] < wish[b]; });
    number(row);
  };
  sweep(made, reorder);
  for (auto& row : made.rows) reorder(row, true);  // what nothing lies below follows what is above
}

// Every item where it wishes to be, as far as its neighbours in the row let it: the mean of pushing all of
// them to the right and of pushing all of them to the left. Both keep the distances, so the mean does.
void place(Rows& made, const std::vector<size_t>& row, const std::vector<double>& wish) {
  const auto distance = [&](size_t i) {  // between the middles of row[i - 1] and row[i]
    return (made.items[row[i - 1]].width + made.items[row[i]].width) / 2 + kGap;
  };
  std::vector<double> right = wish, left = wish;
  for (size_t i = 1; i < row.size(); ++i) right[i] = std::max(right[i], right[i - 1] + distance(i));
  for (size_t i = row.size() - 1; i > 0; --i) left[i - 1] = std::min(left[i - 1], left[i] - distance(i));
  for (size_t i = 0; i < row.size(); ++i) made.items[row[i]].x = (left[i] + right[i]) / 2;
}

void spread(Rows& made) {
  for (const auto& row : made.rows) place(made, row, std::vector<double>(row.size(), 0));
  sweep(made, [&](const std::vector<size_t>& row, bool above) {
    std::vector<double> wish;
    for (const size_t i : row) {
      const Item& item = made.items[i];
      wish.push_back(mean(side(item, above), item.x, [&](const Neighbour& n) {
        return made.items[n.item].x + n.port * made.items[n.item].width;
      }));
    }
    place(made, row, wish);
  });
  double least = 0;
  for (const Item& item : made.items) least = std::min(least, item.x - item.width / 2);
  for (Item& item : made.items) item.x += kMargin - least;
}

}  // namespace

TapeLayout layout_of(const TapeGraph& tape, const std::vector<TapeLayout::Size>& sizes) {
  TapeLayout layout;
  if (tape.nodes.empty()) return layout;
  Rows made = rows_of(tape, sizes);
  order(made);
  spread(made);

  std::vector<double> top, bottom;  // of each row
  layout.height = kMargin;
  for (const auto& row : made.rows) {
    double height = 0;
    for (const size_t i : row) height = std::max(height, i < sizes.size() ? sizes[i].height : 0);
    top.push_back(layout.height);
    bottom.push_back(layout.height + height);
    layout.height += height + kRowGap;
  }
  layout.height += kMargin - kRowGap;
  std::vector<uint32_t> inputs(tape.nodes.size(), 1);  // per node, as far as lines arrive
  for (size_t i = 0; i < sizes.size(); ++i) {
    const Item& item = made.items[i];
    layout.boxes.push_back({item.x - item.width / 2, top[item.row], item.width, sizes[i].height});
    for (const TapeEdge& edge : tape.nodes[i].edges) {
      if (edge.to != TapeEdge::kNowhere) inputs[edge.to] = std::max(inputs[edge.to], edge.input_nr + 1);
    }
  }
  for (const Item& item : made.items)
    layout.width = std::max(layout.width, item.x + item.width / 2 + kMargin);

  size_t way = 0;
  for (size_t i = 0; i < tape.nodes.size(); ++i) {
    const TapeLayout::Box& from = layout.boxes[i];
    for (size_t e = 0; e < tape.nodes[i].edges.size(); ++e) {
      const TapeEdge& edge = tape.nodes[i].edges[e];
      if (edge.to == TapeEdge::kNowhere) continue;
      const TapeLayout::Box& to = layout.boxes[edge.to];
      TapeLayout::Line line{
          i, e, {{from.left + from.width * port(e, tape.nodes[i].edges.size()), from.top + from.height}}};
      const std::vector<size_t>& items = made.ways[way++];
      for (size_t k = 1; k + 1 < items.size(); ++k) {
        const Item& passed = made.items[items[k]];
        line.points.push_back({passed.x, top[passed.row]});
        line.points.push_back({passed.x, bottom[passed.row]});
      }
      line.points.push_back({to.left + to.width * port(edge.input_nr, inputs[edge.to]), to.top});
      layout.lines.push_back(std::move(line));
    }
  }
  return layout;
}

}  // namespace gb::autograd
