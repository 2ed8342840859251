// A matrix of floats, transposed on its way through shared memory: both sides are read and written along rows. One
// column more than a tile has puts a tile's column into 32 different banks.
#include "kernels/cuda/linear/hopper_operands.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

constexpr int kTile = 32, kRows = 8;  // a warp per row; so many rows at a time

// out [rows, cols] and in [cols, rows] of each of the batch; one block per tile.
__global__ void __launch_bounds__(kTile* kRows)
    transpose_kernel(Transposition t, int64_t tiles_of_rows, int64_t tiles_of_cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int64_t number = blockIdx.x, l = number / (tiles_of_rows * tiles_of_cols);
  const int64_t in_matrix = number - l * tiles_of_rows * tiles_of_cols;
  const int64_t i0 = in_matrix % tiles_of_rows * kTile, j0 = in_matrix / tiles_of_rows * kTile;
  const float* const in = t.in + l * t.in_batch_stride;
  float* const out = t.out + l * t.out_batch_stride;
  const int lane = threadIdx.x % kTile;
  for (int r = static_cast<int>(threadIdx.x) / kTile; r < kTile; r += kRows)
    if (j0 + r < t.cols && i0 + lane < t.rows) tile[r][lane] = in[(j0 + r) * t.in_stride + i0 + lane];
  __syncthreads();
  for (int r = static_cast<int>(threadIdx.x) / kTile; r < kTile; r += kRows)
    if (i0 + r < t.rows && j0 + lane < t.cols) out[(i0 + r) * t.out_stride + j0 + lane] = tile[lane][r];
}

}  // namespace

void transpose(const Transposition& t, StreamHandle stream) {
  const int64_t rows = (t.rows + kTile - 1) / kTile, cols = (t.cols + kTile - 1) / kTile;
  GB_LAUNCH((transpose_kernel), grid_of(rows * cols * t.batch), kTile * kRows, 0, stream, t, rows, cols);
}

}  // namespace gb::cuda
