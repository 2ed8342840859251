// A tile of an operand for tensor cores: cp.async brings it, ldmatrix takes it, and neither waits for a bank.
//
// A tile is 128 bytes deep along k: 64 halves, or 32 floats for TF32. It lies as the operand lies in memory, since
// cp.async copies 16-byte chunks and cannot turn them:
//   along k      [line][8 chunks of k]
//   along lines  [p][chunks of neighbouring lines]; ldmatrix_trans turns the pieces as it reads
// Eight lanes read one chunk each of eight rows. Were a row's chunks stored in order, all eight would lie in the same
// four banks; so row r holds chunk c at place c ^ (r % 8), and the eight lie in all 32 (a *swizzle*). TF32 along lines
// cannot be turned by ldmatrix, which turns halves: it is read word by word, four rows and eight neighbours at a time,
// and 32 bytes more per row put the four rows into different banks.
#pragma once

#include "kernels/cuda/instructions/cp_async.h"
#include "kernels/cuda/instructions/mma_sync.h"
#include "kernels/cuda/linear/product.h"

namespace gb::cuda {

inline constexpr int kMmaRowBytes = 128;  // of a tile along k
// Room for a tile that lies either way.
__host__ __device__ constexpr int mma_tile_bytes(int lines) { return lines * kMmaRowBytes + 32 * 32; }
template <class T>
inline constexpr int kChunk = 16 / static_cast<int>(sizeof(T));  // elements in 16 bytes
template <class T>
inline constexpr int kTileDepth = kMmaRowBytes / static_cast<int>(sizeof(T));

template <class T, int kLines, bool kAlongK>
struct MmaTile {
  static constexpr int kChunks = kAlongK ? 8 : kLines / kChunk<T>;  // in a row
  static constexpr bool kWords = !kAlongK && sizeof(T) == 4;
  static constexpr int kRow = kChunks * 16 + (kWords ? 32 : 0);  // bytes

  // Where chunk c of row r lies: bytes from the start of the tile.
  __device__ static int place(int r, int c) { return r * kRow + (kWords ? c : c ^ r % 8) * 16; }

  // Where this lane begins to read for a warp whose lines begin at `first`; load() gets from there to every other place
  // by an exclusive or and a constant, or by a constant alone. It needs `first` to be a multiple of the warp's lines,
  // a power of two.
  __device__ static int lane_place(int first) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if constexpr (kAlongK) return place(first + lane % 16, lane / 16);
    if constexpr (sizeof(T) == 2) return place(lane / 16 * 8 + lane % 8, first / 8 + lane / 8 % 2);
    return place(lane % 4, first / 4 + lane / 16) + lane / 4 % 4 * 4;
  }
  // The pieces of the 16 lines number i of the warp, 32 bytes along k number `step`: lines 0-7, lines 8-15, then both
  // 16 bytes further along k. These are the registers of a 16-line a, or of two 8-line b's: {0, 2} and {1, 3}.
  __device__ static void load(Words& piece, const unsigned char* tile, int lane_place, int i, int step) {
    if constexpr (kAlongK) {
      ldmatrix(piece, tile + (lane_place ^ step * 32) + i * 16 * kRow);
    } else if constexpr (sizeof(T) == 2) {
      ldmatrix_trans(piece, tile + (lane_place ^ i * 32) + step * 16 * kRow);
    } else {
#pragma unroll
      for (int q = 0; q < 4; ++q)
        piece[q] = *reinterpret_cast<const uint32_t*>(tile + lane_place + i * 64 + q % 2 * 32 +
                                                      (step * 8 + q / 2 * 4) * kRow);
    }
    if constexpr (sizeof(T) == 4) {
#pragma unroll
      for (uint32_t& word : piece) word = to_tf32(word);
    }
  }
};

// What one thread of kThreads brings of the tiles of kLines lines from line `first` on, tile after tile along k. It
// keeps as little as it can: the sums leave no registers to spare.
template <class T, int kThreads, int kLines, bool kAlongK>
class MmaTileCopy {
 public:
  __device__ MmaTileCopy(const Lines<T>& x, int l, int first, int p0)
      : x_(x), first_(first), from_(x.line(l, first + line()) + (p0 + p()) * x.step) {}

  // Asks for the next tile, of which `left` elements of a line are there, or more. tile: shared, mma_tile_bytes(kLines)
  __device__ void start(unsigned char* tile, int left) {
    unsigned char* const to = tile + Tile::place(row(), chunk());
    const int64_t apart = kRowsApart * (kAlongK ? x_.line_stride : x_.step);
    if (x_.count - first_ >= kLines && left >= kTileDepth<T>) {  // the usual tile
#pragma unroll
      for (int i = 0; i < kCopies; ++i) cp_async<16>(to + i * kRowsApart * Tile::kRow, from_ + i * apart);
    } else {
      const int lines = static_cast<int>(min(x_.count - first_, int64_t{kLines})) - line(), steps = left - p();
#pragma unroll
      for (int i = 0; i < kCopies; ++i) {
        const int rows = i * kRowsApart;  // from this thread's first
        const int there = kAlongK ? (rows < lines ? steps : 0) : (rows < steps ? lines : 0);
        const int bytes = min(max(there, 0), kChunk<T>) * static_cast<int>(sizeof(T));
        cp_async<16>(to + rows * Tile::kRow, from_ + i * apart, bytes);
      }
    }
    from_ += kTileDepth<T> * x_.step;
  }

 private:
  using Tile = MmaTile<T, kLines, kAlongK>;
  static constexpr int kRowsApart = kThreads / Tile::kChunks;  // from one of a thread's copies to the next
  static constexpr int kCopies = kLines * kMmaRowBytes / 16 / kThreads;
  static_assert(kThreads % Tile::kChunks == 0 && (Tile::kWords || kRowsApart % 8 == 0) && kCopies > 0);

  // Of this thread's first copy: where in the tile, and which element.
  __device__ static int row() { return static_cast<int>(threadIdx.x) / Tile::kChunks; }
  __device__ static int chunk() { return static_cast<int>(threadIdx.x) % Tile::kChunks; }
  __device__ static int line() { return kAlongK ? row() : chunk() * kChunk<T>; }
  __device__ static int p() { return kAlongK ? chunk() * kChunk<T> : row(); }

  const Lines<T>& x_;
  const int first_;
  const T* from_;  // this thread's first element of the next tile
};

}  // namespace gb::cuda
