// A tile of an operand of floats on its way to shared memory by cp.async, for rungs 7 and 8: tile[p][line].
//
// Along lines 16 bytes are four neighbours there too. Along k they would have to be turned on the way, which the copy
// cannot do; so it takes the elements one by one, 4 bytes each, straight to where they belong. That is four times the
// instructions, but no register and no wait.
#pragma once

#include "kernels/cuda/instructions/cp_async.h"
#include "kernels/cuda/linear/product.h"

namespace gb::cuda {

inline constexpr int kPad = 4;  // floats between the rows of a tile: the elements that a warp turns fall into 32 banks

// What one thread of kThreads brings of the tiles of kLines lines from line `first` on, tile after tile along k.
template <int kThreads, int kLines, int kDepth, bool kAlongK>
class AsyncTile {
 public:
  __device__ AsyncTile(const Lines<float>& x, int64_t l, int64_t first, int64_t p0, int64_t end)
      : step_(kAlongK ? 1 : x.step), left_(static_cast<int>(end - p0) - p_) {
    from_ = x.line(l, first + line_) + (p0 + p_) * step_;
    apart_ = kAlongK ? kLinesApart * x.line_stride : kStepsApart * x.step;
    lines_left_ = static_cast<int>(min(x.count - first - line_, int64_t{kLines}));
    whole_ = x.count - first >= kLines;
  }

  // Asks for the next tile. tile: [kDepth][kLines + kPad], shared
  __device__ void start(float* tile) {
    float* const to = tile + p_ * kPitch + line_;
    if (whole_ && left_ >= kDepth)  // the usual tile; left_ counts from this thread's p, which is enough
      start_copies(to, [](int, int) { return kAlongK ? 4 : 16; });
    else
      start_copies(to, [this](int line, int p) {
        const int lines = p < left_ ? lines_left_ - line : 0;
        return 4 * (kAlongK ? min(max(lines, 0), 1) : min(max(lines, 0), 4));
      });
    from_ += kDepth * step_;
    left_ -= kDepth;
  }

 private:
  static constexpr int kPitch = kLines + kPad;
  static constexpr int kAcross = kLines / 4;                  // copies of 16 bytes in a row of the tile
  static constexpr int kLinesApart = kThreads / 8;            // along k: 8 threads share a line
  static constexpr int kStepsApart = kThreads / kAcross;      // along lines
  static_assert(kDepth % 8 == 0 && kLines % kLinesApart == 0);
  static_assert(kThreads % kAcross == 0 && kDepth % kStepsApart == 0);

  // bytes(line, p): how many are there of the copy that is so many lines and elements from this thread's first.
  template <class Bytes>
  __device__ void start_copies(float* to, Bytes bytes) const {
    if constexpr (kAlongK) {
#pragma unroll
      for (int line = 0; line < kLines; line += kLinesApart)
#pragma unroll
        for (int p = 0; p < kDepth; p += 8)
          cp_async<4>(to + p * kPitch + line, from_ + line / kLinesApart * apart_ + p, bytes(line, p));
    } else {
#pragma unroll
      for (int p = 0; p < kDepth; p += kStepsApart)
        cp_async<16>(to + p * kPitch, from_ + p / kStepsApart * apart_, bytes(0, p));
    }
  }

  const int thread_ = static_cast<int>(threadIdx.x);
  const int p_ = kAlongK ? thread_ % 8 : thread_ / kAcross;            // where this thread's first copy goes
  const int line_ = kAlongK ? thread_ / 8 : thread_ % kAcross * 4;
  const int64_t step_;
  int left_;       // elements of a line from this thread's first to the end of k
  int64_t apart_;  // elements of memory from one of its copies to the next
  const float* from_;
  int lines_left_;  // from this thread's first to the last
  bool whole_;      // all lines of the tile are there
};

}  // namespace gb::cuda
