// A tile of an operand of floats on its way to shared memory by cp.async, for rungs 7 and 8: tile[p][line].
//
// Along lines 16 bytes are four neighbours there too. Along k they would have to be turned on the way, which the copy
// cannot do; so it takes the elements one by one, 4 bytes each, straight to where they belong. That is four times the
// instructions, but no register and no wait. (Rung 8 turns them in registers: held_tile.h.)
#pragma once

#include "kernels/cuda/instructions/cp_async.h"
#include "kernels/cuda/linear/product.h"

namespace gb::cuda {

inline constexpr int kPad = 4;  // floats between the rows of a tile: the elements that a warp turns fall into 32 banks
inline constexpr int kParts = 4;  // in which a tile's copies can be asked for, spread over the steps of a loop

// What one thread of kThreads brings of the tiles of kLines lines from line `first` on, tile after tile along k.
template <int kThreads, int kLines, int kDepth, bool kAlongK>
class AsyncTile {
 public:
  __device__ AsyncTile(const Lines<float>& x, int64_t l, int64_t first, int64_t p0, int64_t end)
      : step_(kAlongK ? 1 : x.step), left_(static_cast<int>(end - p0)) {
    from_ = x.line(l, first + line_) + (p0 + p_) * step_;
    apart_ = kAlongK ? kLinesApart * x.line_stride : kStepsApart * x.step;
    lines_left_ = static_cast<int>(min(x.count - first - line_, int64_t{kLines}));
    whole_ = x.count - first >= kLines;
  }

  // Asks for the next tile. tile: [kDepth][kLines + kPad], shared
  __device__ void start(float* tile) {
    begin_tile(tile);
#pragma unroll
    for (int part = 0; part < kParts; ++part) start_part(tile, part);
    end_tile();
  }

  // The same in parts. A tile that is not there as a whole is asked for at once: a branch in the middle of a loop's
  // steps would keep the compiler from mixing them. A tile past the end is zeros, for fragments of it are loaded, too.
  __device__ void begin_tile(float* tile) {
    usual_ = whole_ && left_ >= kDepth;
    if (usual_) return;
#pragma unroll
    for (int i = 0; i < kCopies; ++i) {
      const int lines = p_ + p_of(i) < left_ ? lines_left_ - line_of(i) : 0;
      start_copy(tile, i, 4 * (kAlongK ? min(max(lines, 0), 1) : min(max(lines, 0), 4)));
    }
  }
  __device__ void start_part(float* tile, int part) {
    if (!usual_) return;
#pragma unroll
    for (int i = part * kCopies / kParts; i < (part + 1) * kCopies / kParts; ++i) start_copy(tile, i, kAlongK ? 4 : 16);
  }
  __device__ void end_tile() {
    from_ += kDepth * step_;
    left_ -= kDepth;
  }

 private:
  static constexpr int kPitch = kLines + kPad;
  static constexpr int kAcross = kLines / 4;                  // copies of 16 bytes in a row of the tile
  static constexpr int kLinesApart = kThreads / 8;            // along k: 8 threads share a line
  static constexpr int kStepsApart = kThreads / kAcross;      // along lines
  static constexpr int kCopies = kAlongK ? kLines / kLinesApart * (kDepth / 8) : kDepth / kStepsApart;
  static_assert(kDepth % 8 == 0 && kLines % kLinesApart == 0);
  static_assert(kThreads % kAcross == 0 && kDepth % kStepsApart == 0);

  // Copy i is so many lines and elements from this thread's first.
  __host__ __device__ static constexpr int line_of(int i) { return kAlongK ? i / (kDepth / 8) * kLinesApart : 0; }
  __host__ __device__ static constexpr int p_of(int i) { return kAlongK ? i % (kDepth / 8) * 8 : i * kStepsApart; }
  __device__ void start_copy(float* tile, int i, int bytes) const {
    float* const to = tile + (p_ + p_of(i)) * kPitch + line_ + line_of(i);
    if constexpr (kAlongK)
      cp_async<4>(to, from_ + line_of(i) / kLinesApart * apart_ + p_of(i), bytes);
    else
      cp_async<16>(to, from_ + i * apart_, bytes);
  }

  const int thread_ = static_cast<int>(threadIdx.x);
  const int p_ = kAlongK ? thread_ % 8 : thread_ / kAcross;            // where this thread's first copy goes
  const int line_ = kAlongK ? thread_ / 8 : thread_ % kAcross * 4;
  const int64_t step_;
  int left_;       // elements of a line to the end of k
  int64_t apart_;  // elements of memory from one of its copies to the next
  const float* from_;
  int lines_left_;  // from this thread's first to the last
  bool whole_;      // all lines of the tile are there
  bool usual_;      // and all elements of them
};

}  // namespace gb::cuda
