// A product whose lines are cut in parts: where d has few tiles and lines are long (dW: 600 x 64 elements, each a sum
// over all rows of a batch), a block per tile would leave most multiprocessors without work. So `splits` blocks share a
// tile, each with a part of k; they write partial sums to scratch memory, and a second kernel adds them up.
//
// Invariant: the order of the additions depends on the shapes alone, not on who is first: the same bits at each run.
#pragma once

#include <algorithm>

#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/linear/product.h"
#include "kernels/cuda/linear/scratch.h"

namespace gb::cuda {

// How many splits. tiles: of d, in all matrices of the batch; room: blocks that run at the same time; part: a multiple
// of `depth`. With room for more blocks than tiles: as many as there is room for, each of at least kLeastPart elements
// of a line. Else a few, where whole tiles would leave the device half empty in the last round of blocks: 384 tiles in
// 264 places take two rounds, 768 halves of tiles three, of half the time. kSplitCost: elements of k that could be
// summed in the time that a part's way through memory takes.
inline constexpr int64_t kLeastPart = 256, kMostParts = 4, kSplitCost = 256;
struct Splits {
  int64_t count, part;
  // In elements of k, for all rounds.
  int64_t time(int64_t tiles, int64_t room) const {
    return tiles_over(tiles * count, room) * (part + (count > 1 ? kSplitCost : 0));
  }
};
inline Splits splits_for(int64_t tiles, int64_t room, int64_t k, int64_t depth) {
  const auto cut = [&](int64_t count) -> Splits {
    const int64_t part = std::max(depth, tiles_over(tiles_over(k, count), depth) * depth);
    return {std::max<int64_t>(1, tiles_over(k, part)), part};
  };
  Splits best = cut(std::max<int64_t>(1, std::min(room / tiles, k / kLeastPart)));
  for (int64_t count = 2; count <= std::min(kMostParts, k / kLeastPart); ++count)
    if (cut(count).time(tiles, room) < best.time(tiles, room)) best = cut(count);
  return best;
}

// The row of a rung's table of tile shapes with the least estimated time: rounds of blocks over the device, times what
// a multiprocessor then does, over the rate (per cent) that the shape reaches. The last row must fit into every device.
template <class Shape, size_t kCount>
int best_shape(const Shape (&shapes)[kCount], const GemmArgs& args, int64_t depth) {
  int best = -1;
  double least = 0;
  for (int i = 0; i < static_cast<int>(kCount); ++i) {
    const Shape& s = shapes[i];
    if (s.shared_bytes() > most_shared_bytes()) continue;
    const int64_t tiles = args.batch * tiles_over(args.m, s.block_m) * tiles_over(args.n, s.block_n);
    const int64_t room = int64_t{multiprocessors()} * s.blocks;
    const Splits splits = splits_for(tiles, room, args.k, depth);
    const double time = static_cast<double>(splits.time(tiles, room) * s.blocks * s.block_m * s.block_n) / s.rate;
    if (best < 0 || time < least) best = i, least = time;
  }
  return best;
}

template <class T>
struct SplitProduct : Product<T> {
  using C = compute_t<T>;
  int64_t batch;
  int64_t splits, part;  // split s sums elements s * part .. (s + 1) * part - 1 of each line, as far as there are
  C* partial = nullptr;  // [splits, batch, m, n]; null for one split, which stores to d

  SplitProduct(const GemmArgs& args, Splits s)
      : Product<T>(args), batch(args.batch), splits(s.count), part(s.part) {}

  // l: the matrix of the batch; with splits, split * batch + matrix.
  template <int kCount>
  __device__ void store_neighbours(const C* sum, int64_t l, int64_t i, int64_t j) const {
    if (!partial) return Product<T>::template store_neighbours<kCount>(sum, l, i, j);
    if (i >= this->m) return;
    C* const to = partial + (l * this->m + i) * this->n + j;
#pragma unroll
    for (int e = 0; e < kCount; ++e)
      if (j + e < this->n) to[e] = sum[e];
  }

  // The same of what has been through the epilogue, or is partial; row i is there.
  template <int kCount>
  __device__ void store_rounded(const C* value, int64_t l, int64_t i, int64_t j) const
    requires std::is_same_v<C, T>
  {
    struct alignas(kCount * sizeof(T)) Vector {
      T element[kCount];
    };
    const int64_t apart = partial ? 1 : this->col_stride;
    T* const to = (partial ? partial + (l * this->m + i) * this->n
                           : this->d + l * this->batch_stride + i * this->row_stride) + j * apart;
    if (j + kCount <= this->n && apart == 1 && reinterpret_cast<uintptr_t>(to) % sizeof(Vector) == 0) {
      Vector vector;
#pragma unroll
      for (int e = 0; e < kCount; ++e) vector.element[e] = value[e];
      *reinterpret_cast<Vector*>(to) = vector;
    } else {
#pragma unroll
      for (int e = 0; e < kCount; ++e)
        if (j + e < this->n) to[e * apart] = value[e];
    }
  }

  // The place of a block in a grid of splits x batch x tiles, and its part of k; in int, which saves registers.
  struct Part {
    int l, first_row, first_col;  // of its tile
    int l_of_store;               // split * batch + l
    int begin, end;               // of k
  };
  // [anchor: order]
  // Blocks that run at the same time should share what they read. Eight rows of tiles are gone through column by
  // column: 132 blocks then read about 8 tiles of a and 16 of b, which the L2 cache keeps; row by row it were 1 and
  // 132.
  // In int, as the grid's blocks are counted: a division of 64 bits takes many instructions.
  __device__ Part part_of_block(int rows, int cols) const {
    const int high = static_cast<int>(tiles_over(this->m, rows)), wide = static_cast<int>(tiles_over(this->n, cols));
    const int block = static_cast<int>(blockIdx.x), l = block / (high * wide), tile = block - l * (high * wide);
    const int group = tile / (kTogether * wide), first = group * kTogether, in_group = tile - first * wide;
    const int rows_here = min(high - first, kTogether), split = l / static_cast<int>(batch);
    return {l - split * static_cast<int>(batch), (first + in_group % rows_here) * rows,
            in_group / rows_here * cols, l, static_cast<int>(split * part),
            static_cast<int>(min(this->k, (split + 1) * part))};
  }
  static constexpr int kTogether = 8;
};

// d = epilogue(the sum of all splits)
template <class T>
__global__ void add_splits_kernel(SplitProduct<T> g) {
  const int64_t element = thread_number(), of_split = g.batch * g.m * g.n;
  if (element >= of_split) return;
  compute_t<T> sum = 0;
  for (int64_t s = 0; s < g.splits; ++s) sum += g.partial[s * of_split + element];
  const int64_t row = element / g.n, l = row / g.m;
  g.store(sum, l, row - l * g.m, element - row * g.n);
}

// Calls launch(product), and the kernel that adds up. The scratch memory goes back with the call: what is allocated
// after it on the same stream comes after it there.
template <class T, class Launch>
void run_split(SplitProduct<T> g, StreamHandle stream, Launch launch) {
  if (g.splits == 1) return launch(g);
  const int64_t elements = g.batch * g.m * g.n;
  const std::shared_ptr<void> memory = scratch(static_cast<size_t>(g.splits * elements) * sizeof(compute_t<T>), stream);
  g.partial = static_cast<compute_t<T>*>(memory.get());
  launch(g);
  GB_LAUNCH((add_splits_kernel<T>), blocks_for(elements), kThreads, 0, stream, g);
}

}  // namespace gb::cuda
