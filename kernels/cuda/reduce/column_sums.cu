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

// out: [gridDim.y, cols], one row of sums per part; in: [rows, cols], rows in_stride apart. Part blockIdx.y has
// rows_per_part rows. kAcross threads side by side, kThreads / kAcross above each other.
template <class In, class Out, class Piece, int kAcross>
__global__ void __launch_bounds__(kThreads, 4)
    column_sums_kernel(Out* out, const In* in, int64_t rows, int64_t cols, int64_t in_stride, int64_t rows_per_part,
                       compute_t<In> divisor) {
  using C = compute_t<In>;
  constexpr int kN = Piece::kElements, kDown = static_cast<int>(kThreads) / kAcross;
  __shared__ C partial[kN][kDown][kAcross];
  const int across = static_cast<int>(threadIdx.x) % kAcross, down = static_cast<int>(threadIdx.x) / kAcross;
  const int64_t column = (static_cast<int64_t>(blockIdx.x) * kAcross + across) * kN;  // the first of this thread's kN
  const int64_t first = blockIdx.y * rows_per_part, last = min(rows, first + rows_per_part);

  C sum[kN] = {};
  const auto add = [&](const Piece& piece) {
    C value[kN];
    piece.get(value);
#pragma unroll
    for (int n = 0; n < kN; ++n) sum[n] += value[n];
  };
  if (column < cols) {
    const In* from = in + column;
    int64_t row = first + down;
    for (; row + (kInFlight - 1) * kDown < last; row += kInFlight * kDown) {
      Piece piece[kInFlight];
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) piece[i] = Piece::of(from + (row + i * kDown) * in_stride);
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) add(piece[i]);
    }
    for (; row < last; row += kDown) add(Piece::of(from + row * in_stride));
  }
#pragma unroll
  for (int n = 0; n < kN; ++n) partial[n][down][across] = sum[n];
  __syncthreads();

  for (int half = kDown / 2; half > 0; half /= 2) {
    if (down < half)
      for (int n = 0; n < kN; ++n) partial[n][down][across] += partial[n][down + half][across];
    __syncthreads();
  }
  if (down == 0 && column < cols)
    for (int n = 0; n < kN; ++n)
      out[blockIdx.y * cols + column + n] = static_cast<Out>(partial[n][0][across] / divisor);
}

constexpr int64_t kWide = 32, kNarrow = 4;  // kAcross of the first launch, and of the second, which has few columns

// About 16 blocks for each of 132 multiprocessors, of which 4 run at a time: four rounds even out what multiprocessors
// differ in. A part has enough rows that writing and reading its sums hardly counts.
constexpr int64_t kBlocks = 16 * 132, kFewestRows = 256;

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

int64_t rows_in_part(ScalarType dtype, int64_t rows, int64_t cols) {
  const int64_t width = 16 / static_cast<int64_t>(elementSize(dtype));
  const int64_t parts = std::max(int64_t{1}, kBlocks / std::max(int64_t{1}, ceil_div(cols, kWide * width)));
  return std::max(kFewestRows, ceil_div(rows, parts));
}
int64_t parts_of(ScalarType dtype, int64_t rows, int64_t cols) {
  return std::max(int64_t{1}, ceil_div(rows, rows_in_part(dtype, rows, cols)));
}

template <class In, class Out, class Piece, int64_t kAcross>
void launch(Out* out, const In* in, int64_t rows, int64_t cols, int64_t in_stride, int64_t rows_per_part,
            double divisor, StreamHandle stream) {
  const dim3 grid(grid_of(ceil_div(cols, kAcross * Piece::kElements)),
                  static_cast<unsigned>(std::max(int64_t{1}, ceil_div(rows, rows_per_part))));
  GB_LAUNCH((column_sums_kernel<In, Out, Piece, static_cast<int>(kAcross)>), grid, kThreads, 0, stream, out, in, rows,
            cols, in_stride, rows_per_part, static_cast<compute_t<In>>(divisor));
}

// Rows that all start and end at a multiple of 16 bytes.
template <class T>
bool in_vectors(const void* in, int64_t cols, int64_t in_stride) {
  return reinterpret_cast<uintptr_t>(in) % 16 == 0 && cols % kWidth<T> == 0 && in_stride % kWidth<T> == 0;
}

template <class In, int64_t kAcross, class Out>
void sums(Out* out, const void* in, int64_t rows, int64_t cols, int64_t in_stride, int64_t rows_per_part,
          double divisor, StreamHandle stream) {
  const In* const from = static_cast<const In*>(in);
  if (in_vectors<In>(in, cols, in_stride))
    launch<In, Out, Sixteen<In>, kAcross>(out, from, rows, cols, in_stride, rows_per_part, divisor, stream);
  else
    launch<In, Out, One<In>, kAcross>(out, from, rows, cols, in_stride, rows_per_part, divisor, stream);
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
    if (parts == 1) return sums<T, kWide>(out, a.in, a.rows, a.cols, a.in_stride, in_part, a.divisor, a.stream);
    C* const partial = static_cast<C*>(a.scratch);  // [parts, cols]
    sums<T, kWide>(partial, a.in, a.rows, a.cols, a.in_stride, in_part, 1, a.stream);
    sums<C, kNarrow>(out, partial, parts, a.cols, a.cols, parts, a.divisor, a.stream);
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
