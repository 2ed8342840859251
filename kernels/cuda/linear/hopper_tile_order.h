// In which order persistent blocks go through the tiles of d. Tiles that are worked on at the same time should
// share rows of a and columns of b, so that the L2 cache gives them out many times: not whole rows of tiles but
// nearly square patches. Numbers run down a panel of kPanel rows of tiles, column after column, and then the next
// panel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "kernels/cuda/launch.h"

namespace gb::cuda {

struct Tile {
  int l, row, col;  // of the batch; in tiles
};

// In 32 bits, for 64-bit divisions are long subroutines on a GPU: less than 2^31 tiles, and a number may go beyond
// `count` by as many as there are blocks.
struct TileOrder {
  static constexpr uint32_t kPanel = 8;
  uint32_t rows, cols;  // tiles of one matrix
  uint32_t count;       // of all

  TileOrder(int64_t m, int64_t n, int64_t batch, int tile_m, int tile_n)
      : rows(static_cast<uint32_t>((m + tile_m - 1) / tile_m)),
        cols(static_cast<uint32_t>((n + tile_n - 1) / tile_n)),
        count(rows * cols * static_cast<uint32_t>(batch)) {}

  // Are there less than 2^31? m and n are less than 2^31.
  static bool fits(int64_t m, int64_t n, int64_t batch, int tile_m, int tile_n) {
    const int64_t matrix = ((m + tile_m - 1) / tile_m) * ((n + tile_n - 1) / tile_n);
    return batch <= std::numeric_limits<int32_t>::max() / std::max<int64_t>(matrix, 1);
  }

  // Beyond `count` it is no tile of d.
  __host__ __device__ Tile at(uint32_t number) const {
    const uint32_t matrix = rows * cols, l = number / matrix, in_matrix = number - l * matrix;
    const uint32_t panel = in_matrix / (kPanel * cols), in_panel = in_matrix - panel * kPanel * cols;
    const uint32_t left = rows - panel * kPanel, high = left < kPanel ? left : kPanel;  // rows of this panel
    const uint32_t col = in_panel / high;
    return {static_cast<int>(l), static_cast<int>(panel * kPanel + in_panel - col * high), static_cast<int>(col)};
  }
};

}  // namespace gb::cuda
