// Column sums: each thread walks down a few columns that lie side by side, so that a warp reads 512 bytes of a row at
// once; what the threads above and below each other have is combined as a tree in shared memory.
#include <algorithm>

#include "kernels/cuda/reduce/column_sums.h"
#include "kernels/cuda/softmax/vectors.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

// What a thread reads at once: 16 bytes of a row, or where rows do not start at multiples of 16, one element.
template <class T>
struct Sixteen : Vector<T> {
  static constexpr int kElements = kWidth<T>;
  __device__ static Sixteen of(const T* from) { return {load(from)}; }
};
template <class T>
struct One {
  static constexpr int kElements = 1;
  T element;
  __device__ static One of(const T* from) { return {*from}; }
  __device__ void get(compute_t<T> (&value)[1]) const { value[0] = static_cast<compute_t<T>>(element); }
};

constexpr int kInFlight = 4;  // loads of a thread before the first is used
constexpr int kBlockThreads = 512, kBlocksAtOnce = 2;  // of a multiprocessor: 64 KB on their way to it

// out: [gridDim.y, cols], one row of sums per part; in: [rows, cols], rows in_stride apart. Part blockIdx.y has
// rows_per_part rows. `across` threads side by side, and as many above each other as there are threads for.
template <class In, class Out, class Piece>
__global__ void __launch_bounds__(kBlockThreads, kBlocksAtOnce)
    column_sums_kernel(Out* out, const In* in, int64_t rows, int64_t cols, int64_t in_stride, int64_t rows_per_part,
                       int across, compute_t<In> divisor) {
  using C = compute_t<In>;
  constexpr int kN = Piece::kElements;
  __shared__ C partial[kN][kBlockThreads];
  const int thread = static_cast<int>(threadIdx.x), downs = kBlockThreads / across, down = thread / across;
  const int64_t column = (static_cast<int64_t>(blockIdx.x) * across + thread % across) * kN;  // this thread's first
  const int64_t first = blockIdx.y * rows_per_part, last = min(rows, first + rows_per_part);

  C sum[kN] = {};
  const auto add = [&](const Piece& piece) {
    C value[kN];
    piece.get(value);
#pragma unroll
    for (int n = 0; n < kN; ++n) sum[n] += value[n];
  };
  if (column < cols && down < downs) {
    const In* from = in + column;
    int64_t row = first + down;
    for (; row + (kInFlight - 1) * downs < last; row += kInFlight * downs) {
      Piece piece[kInFlight];
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) piece[i] = Piece::of(from + (row + i * downs) * in_stride);
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) add(piece[i]);
    }
    for (; row < last; row += downs) add(Piece::of(from + row * in_stride));
  }
#pragma unroll
  for (int n = 0; n < kN; ++n) partial[n][thread] = sum[n];
  __syncthreads();

  for (int left = downs; left > 1;) {
    const int half = (left + 1) / 2;
    if (down + half < left)
      for (int n = 0; n < kN; ++n) partial[n][thread] += partial[n][thread + half * across];
    left = half;
    __syncthreads();
  }
  if (down == 0 && column < cols)
    for (int n = 0; n < kN; ++n)
      out[blockIdx.y * cols + column + n] = static_cast<Out>(partial[n][thread] / divisor);
}

// The most threads side by side: in the first launch, so that hardly any are left over above each other; in the second,
// which has few columns and needs many blocks.
constexpr int64_t kWide = 128, kNarrow = 4;

// All blocks run at once, on 132 multiprocessors (where rows begin at multiples of 16 bytes; else there are more): twice
// or four times as many were slower, as a part's sums are written and read again. A part has enough rows that this
// hardly counts.
constexpr int64_t kBlocks = kBlocksAtOnce * 132, kFewestRows = 256;

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// How `cols` are shared among blocks: `blocks` side by side, of `across` threads with `width` elements each.
struct Columns {
  int64_t across, blocks;
  Columns(int64_t cols, int64_t width, int64_t most) {
    const int64_t pieces = std::max(int64_t{1}, ceil_div(cols, width));
    blocks = ceil_div(pieces, most);
    across = ceil_div(pieces, blocks);
  }
};

int64_t rows_in_part(ScalarType dtype, int64_t rows, int64_t cols) {
  const int64_t width = 16 / static_cast<int64_t>(elementSize(dtype));
  const int64_t parts = std::max(int64_t{1}, kBlocks / Columns(cols, width, kWide).blocks);
  return std::max(kFewestRows, ceil_div(rows, parts));
}
int64_t parts_of(ScalarType dtype, int64_t rows, int64_t cols) {
  return std::max(int64_t{1}, ceil_div(rows, rows_in_part(dtype, rows, cols)));
}

template <class In, class Out, class Piece>
void launch(Out* out, const In* in, int64_t rows, int64_t cols, int64_t in_stride, int64_t rows_per_part, int64_t most,
            double divisor, StreamHandle stream) {
  const Columns columns(cols, Piece::kElements, most);
  const dim3 grid(grid_of(columns.blocks),
                  static_cast<unsigned>(std::max(int64_t{1}, ceil_div(rows, rows_per_part))));
  GB_LAUNCH((column_sums_kernel<In, Out, Piece>), grid, static_cast<unsigned>(kBlockThreads), 0, stream, out, in, rows,
            cols, in_stride, rows_per_part, static_cast<int>(columns.across), static_cast<compute_t<In>>(divisor));
}

// Rows that all start and end at a multiple of 16 bytes.
template <class T>
bool in_vectors(const void* in, int64_t cols, int64_t in_stride) {
  return reinterpret_cast<uintptr_t>(in) % 16 == 0 && cols % kWidth<T> == 0 && in_stride % kWidth<T> == 0;
}

// most: threads side by side
template <class In, class Out>
void sums(Out* out, const void* in, int64_t rows, int64_t cols, int64_t in_stride, int64_t rows_per_part, int64_t most,
          double divisor, StreamHandle stream) {
  const In* const from = static_cast<const In*>(in);
  if (in_vectors<In>(in, cols, in_stride))
    launch<In, Out, Sixteen<In>>(out, from, rows, cols, in_stride, rows_per_part, most, divisor, stream);
  else
    launch<In, Out, One<In>>(out, from, rows, cols, in_stride, rows_per_part, most, divisor, stream);
}

}  // namespace

size_t column_sums_scratch(const ColumnSumsArgs& a) {
  const int64_t parts = parts_of(a.dtype, a.rows, a.cols);
  const size_t size = a.dtype == kDouble ? sizeof(double) : sizeof(float);
  return parts == 1 ? 0 : static_cast<size_t>(parts * a.cols) * size;
}

void column_sums(const ColumnSumsArgs& a) {
  if (a.cols == 0) return;
  const int64_t in_part = rows_in_part(a.dtype, a.rows, a.cols), parts = parts_of(a.dtype, a.rows, a.cols);
  const bool known = visit_floating(a.dtype, [&](auto zero) {
    using T = decltype(zero);
    using C = compute_t<T>;
    T* const out = static_cast<T*>(a.out);
    if (parts == 1) return sums<T>(out, a.in, a.rows, a.cols, a.in_stride, in_part, kWide, a.divisor, a.stream);
    C* const partial = static_cast<C*>(a.scratch);  // [parts, cols]
    sums<T>(partial, a.in, a.rows, a.cols, a.in_stride, in_part, kWide, 1, a.stream);
    sums<C>(out, partial, parts, a.cols, a.cols, parts, kNarrow, a.divisor, a.stream);
  });
  if (!known) throw_no_kernel("sum", a.dtype);
}

std::optional<ColumnSumsArgs> as_column_sums(cpu::ReduceOp op, ScalarType dtype, const cpu::Strided<2>& kept,
                                             const cpu::Strided<1>& reduced) {
  if ((op != cpu::ReduceOp::Sum && op != cpu::ReduceOp::Mean) || !isFloatingType(dtype)) return std::nullopt;
  if (kept.ndim != 1 || kept.strides[0][0] != 1 || kept.strides[1][0] != 1 || reduced.ndim != 1) return std::nullopt;
  ColumnSumsArgs args = {};
  args.dtype = dtype;
  args.rows = reduced.sizes[0], args.cols = kept.sizes[0];
  args.in_stride = reduced.strides[0][0];
  args.divisor = op == cpu::ReduceOp::Mean ? static_cast<double>(args.rows) : 1;
  return args;
}

}  // namespace gb::cuda
