// A curve of losses, as text and as a picture.
#pragma once

#include <string>
#include <vector>

namespace gb::labs {

// `columns` x `rows` characters, with the range at the left; each column is the mean of its share of the losses.
std::string ascii_curve(const std::vector<double>& losses, int columns = 64, int rows = 12);

// A page of SVG with axes. Both take one loss or more; a loss that is not finite is left out.
std::string svg_curve(const std::vector<double>& losses);

}  // namespace gb::labs
