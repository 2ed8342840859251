// In which order persistent blocks go through the tiles of d. Tiles that are worked on at the same time should
// share rows of a and columns of b, so that the L2 cache gives them out many times: not whole rows of tiles but
// nearly square patches. Numbers run down a panel of kPanel rows of tiles, column after column, and then the next
// panel.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/launch.h"

namespace gb::cuda {

struct Tile {
  int l, row, col;  // of the batch; in tiles
};

struct TileOrder {
  static constexpr int kPanel = 8;
  int rows, cols;  // tiles of one matrix
  int64_t count;   // of all

  TileOrder(int64_t m, int64_t n, int64_t batch, int tile_m, int tile_n)
      : rows(static_cast<int>((m + tile_m - 1) / tile_m)),
        cols(static_cast<int>((n + tile_n - 1) / tile_n)),
        count(int64_t{rows} * cols * batch) {}

  __host__ __device__ Tile at(int64_t number) const {
    const int64_t matrix = int64_t{rows} * cols, l = number / matrix, in_matrix = number - l * matrix;
    const int64_t panel = in_matrix / (int64_t{kPanel} * cols), in_panel = in_matrix - panel * kPanel * cols;
    const int left = rows - static_cast<int>(panel) * kPanel,
              high = left < kPanel ? left : kPanel;  // rows of this panel
    return {static_cast<int>(l), static_cast<int>(panel * kPanel + in_panel % high),
            static_cast<int>(in_panel / high)};
  }
};

}  // namespace gb::cuda
