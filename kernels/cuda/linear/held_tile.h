// A tile of an operand of floats that lies along k, on its way to shared memory by way of registers, for rung 8:
// tile[p][line].
//
// Turned on the way, element by element, cp.async takes four times the instructions, each with an address of its own.
// So a thread loads 16 bytes of a line, holds them while a tile is multiplied, and stores them turned, at one address
// and constants from it. Nothing waits: the load was asked for a tile ago.
#pragma once

#include "kernels/cuda/linear/async_tile.h"

namespace gb::cuda {

// What one thread of kThreads brings of the tiles of kLines lines from line `first` on, tile after tile along k. The
// same calls as AsyncTile's: for each tile begin(), the parts, end().
template <int kThreads, int kLines, int kDepth>
class HeldTile {
 public:
  __device__ HeldTile(const Lines<float>& x, int64_t l, int64_t first, int64_t p0, int64_t end)
      : left_(static_cast<int>(end - p0) - p_) {
    // A line beyond the last is read as the last: its products are never stored.
#pragma unroll
    for (int i = 0; i < kCopies; ++i)
      from_[i] = x.line(l, min(first + line_ + i * kLinesApart, x.count - 1)) + p0 + p_;
    const bool aligned =  // p0 is a multiple of kDepth
        x.line_stride % 4 == 0 && x.batch_stride % 4 == 0 && reinterpret_cast<uintptr_t>(x.data) % 16 == 0;
    least_ = aligned ? 4 : 0x7fffffff;
    end_tile();
  }

  __device__ void begin_tile(float*) {}

  // Stores a quarter of what is held; with the last one it asks for the next tile.
  __device__ void start_part(float* tile, int part) {
#pragma unroll
    for (int i = 0; i < kCopies; ++i) tile[(p_ + part) * kPitch + line_ + i * kLinesApart] = held_[i][part];
    if (part + 1 < kParts) return;
    usual_ = left_ >= least_;
    if (!usual_) return;
#pragma unroll
    for (int i = 0; i < kCopies; ++i) {
      const float4 four = *reinterpret_cast<const float4*>(from_[i]);
      held_[i][0] = four.x, held_[i][1] = four.y, held_[i][2] = four.z, held_[i][3] = four.w;
    }
  }

  // Where the usual load would not do: at the end of k, and from lines at any address.
  __device__ void end_tile() {
    if (!usual_) {
#pragma unroll
      for (int i = 0; i < kCopies; ++i)
#pragma unroll
        for (int e = 0; e < 4; ++e) held_[i][e] = e < left_ ? from_[i][e] : 0;
    }
#pragma unroll
    for (int i = 0; i < kCopies; ++i) from_[i] += kDepth;
    left_ -= kDepth;
  }

 private:
  static constexpr int kPitch = kLines + kPad;
  static constexpr int kPerLine = kDepth / 4;               // threads that share a line
  static constexpr int kLinesApart = kThreads / kPerLine;
  static constexpr int kCopies = kLines / kLinesApart;      // of 16 bytes, of each thread
  static_assert(kParts == 4 && kLines % kLinesApart == 0);

  const int thread_ = static_cast<int>(threadIdx.x);
  const int p_ = thread_ % kPerLine * 4, line_ = thread_ / kPerLine;  // where this thread's first four go
  int left_;   // elements of a line from this thread's first to the end of k
  int least_;  // of them, for a load of 16 bytes: more than there can be, where lines begin at any address
  const float* from_[kCopies];
  float held_[kCopies][4];
  bool usual_ = false;  // loaded so
};

}  // namespace gb::cuda
