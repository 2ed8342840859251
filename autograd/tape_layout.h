// TapeLayout: where the boxes and the lines of a drawn tape go.
//
// Layered: the root on top, each node one row below the lowest of those that lead to it, so every line leads
// down, and along the longest path the rows are the topological numbers. A line that passes a row has a place
// of its own in it, between the boxes. Within a row the order follows the neighbours above and below, by
// turns, which leaves few crossings; then each item moves towards the middle of its neighbours as far as the
// others let it. After K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual understanding of hierarchical
// system structures" (1981).
#pragma once

#include "autograd/tape_graph.h"

namespace gb::autograd {

struct TapeLayout {
  struct Size {
    double width, height;
  };
  struct Point {
    double x, y;
  };
  struct Box {
    double left, top, width, height;
  };
  struct Line {
    size_t from, edge;  // edge number `edge` of node `from`
    std::vector<Point>
        points;  // from the lower side of its box, two for each row that is passed, to the next box
  };
  std::vector<Box> boxes;  // one per node
  std::vector<Line> lines;
  double width = 0, height = 0;
};

// sizes: of the boxes, one per node. Throws ValueError for a tape that is too large to look at.
TapeLayout layout_of(const TapeGraph& tape, const std::vector<TapeLayout::Size>& sizes);

}  // namespace gb::autograd
