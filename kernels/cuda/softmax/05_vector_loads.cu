// Softmax, rung 5: 16-byte loads. Changed: a thread moves whole 16-byte vectors, and short rows share a warp.
//
// A load instruction of a warp now brings 512 bytes instead of 64 to 128, so far fewer of them keep the same number of
// bytes on their way (vectors.h: how a row that starts at any address is cut). A row of 64 bfloat16 is 8 vectors: 4
// lanes hold it (8 in backward), and a warp has eight such rows at once. Rows of more than 96 vectors get a block of their own.
#include "kernels/cuda/softmax/formula.h"
#include "kernels/cuda/softmax/rows.h"
#include "kernels/cuda/softmax/rungs.h"
#include "kernels/cuda/softmax/shapes.h"
#include "kernels/cuda/softmax/share.h"

namespace gb::cuda::softmax_05_vector_loads {
namespace {

// Short rows: kLanes lanes hold kRows rows at once. out: [rows, cols]; in: [rows, cols], rows in_stride apart.
// cols < (kLanes * kVectors + 1) * kWidth
template <class T, class F, int kLanes, int kVectors, int kRows>
__global__ void __launch_bounds__(kShortThreads, kShortBlocks<T>)
    short_forward_kernel(T* out, const T* in, int64_t rows, int cols, int64_t in_stride, bool whole) {
  using C = compute_t<T>;
  constexpr int kGroups = kShortThreads / kLanes, kEdges = (kWidth<T> + kLanes - 2) / kLanes;
  const int lane = threadIdx.x % kLanes;
  const int64_t first = block_number() * (kGroups * kRows) + threadIdx.x / kLanes;
  const auto row_of = [&](int r) { return first + r * kGroups; };
  // Past the last row a group has 0 columns: it reads and writes nothing, but its lanes must come along.
  const auto x_of = [&](int r) {
    return Row<const T>(in + row_of(r) * in_stride, row_of(r) < rows ? cols : 0, whole);
  };

  Share<T, kVectors, kEdges> share[kRows];
#pragma unroll
  for (int r = 0; r < kRows; ++r)
    share[r] = load_share<kVectors, kEdges>(x_of(r), whole, lane, kLanes, -INFINITY);
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const C max = across_lanes<kLanes>(largest(share[r], whole), Larger());
    const C sum = sum_of(share[r], whole, [&](C value) { return F::of(value, max); });
    const C of_row = F::of_row(across_lanes<kLanes>(sum, Plus()));
    store_share(Row<T>(out + row_of(r) * cols, x_of(r)), share[r], whole, lane, kLanes,
                [&](C value) { return F::output(value, max, of_row); });
  }
}

// Longer rows: one block for each. cols < (blockDim.x * kVectors + 1) * kWidth
template <class T, class F, int kVectors>
__global__ void __launch_bounds__(kMostThreads)
    long_forward_kernel(T* out, const T* in, int64_t rows, int cols, int64_t in_stride, bool whole) {
  using C = compute_t<T>;
  __shared__ C of_warp[2][32];
  const int64_t row = block_number();
  if (row >= rows) return;
  const Row<const T> x(in + row * in_stride, cols, whole);
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);

  auto share = load_share<kVectors>(x, whole, thread, threads, -INFINITY);
  const C max = across_block(largest(share, whole), static_cast<C>(-INFINITY), of_warp[0], Larger());
  const C sum = sum_of(share, whole, [&](C value) { return F::of(value, max); });
  const C of_row = F::of_row(across_block(sum, C(0), of_warp[1], Plus()));
  store_share(Row<T>(out + row * cols, x), share, whole, thread, threads,
              [&](C value) { return F::output(value, max, of_row); });
}

// Backward reads y and dy once each and writes dx: 3 N elements of traffic. (PyTorch's eager kernels write and read
// the product dy * y in between.) grad_input, output: [rows, cols]; grad: [rows, cols], rows grad_stride apart
template <class T, class F, int kLanes, int kVectors, int kRows>
__global__ void __launch_bounds__(kShortThreads)
    short_backward_kernel(T* grad_input, const T* grad, const T* output, int64_t rows, int cols,
                          int64_t grad_stride, bool whole) {
  using C = compute_t<T>;
  constexpr int kGroups = kShortThreads / kLanes, kEdges = (kWidth<T> + kLanes - 2) / kLanes;
  const int lane = threadIdx.x % kLanes;
  const int64_t first = block_number() * (kGroups * kRows) + threadIdx.x / kLanes;
  const auto row_of = [&](int r) { return first + r * kGroups; };
  const auto y_of = [&](int r) {
    return Row<const T>(output + row_of(r) * cols, row_of(r) < rows ? cols : 0, whole);
  };

  Share<T, kVectors, kEdges> y[kRows], dy[kRows];
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    y[r] = load_share<kVectors, kEdges>(y_of(r), whole, lane, kLanes, 0);
    dy[r] = load_share<kVectors, kEdges>(Row<const T>(grad + row_of(r) * grad_stride, y_of(r)), whole, lane,
                                         kLanes, 0);
  }
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const C total = across_lanes<kLanes>(sum_of(dy[r], y[r], whole, [](C dy, C y) { return F::term(dy, y); }), Plus());
    store_pair(Row<T>(grad_input + row_of(r) * cols, y_of(r)), dy[r], y[r], whole, lane, kLanes,
               [&](C dy, C y) { return F::grad(dy, y, total); });
  }
}

template <class T, class F, int kVectors>
__global__ void __launch_bounds__(kMostThreads)
    long_backward_kernel(T* grad_input, const T* grad, const T* output, int64_t rows, int cols,
                         int64_t grad_stride, bool whole) {
  using C = compute_t<T>;
  __shared__ C of_warp[32];
  const int64_t row = block_number();
  if (row >= rows) return;
  const Row<const T> y_row(output + row * cols, cols, whole);
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);

  auto y = load_share<kVectors>(y_row, whole, thread, threads, 0);
  auto dy = load_share<kVectors>(Row<const T>(grad + row * grad_stride, y_row), whole, thread, threads, 0);
  const C total = across_block(sum_of(dy, y, whole, [](C dy, C y) { return F::term(dy, y); }), C(0), of_warp, Plus());
  store_pair(Row<T>(grad_input + row * cols, y_row), dy, y, whole, thread, threads,
             [&](C dy, C y) { return F::grad(dy, y, total); });
}

}  // namespace

bool takes(const SoftmaxArgs& a) {
  const int64_t most = elementSize(a.dtype) == 2 ? kMostForwardVectors<Half> : kMostForwardVectors<float>;
  return moves_vectors(a) && vectors_in(a.dtype, a.cols) <= most;
}
bool takes(const SoftmaxBackwardArgs& a) {
  return moves_vectors(a) && vectors_in(a.dtype, a.cols) <= kMostBackwardVectors;
}

void forward(const SoftmaxArgs& a) {
  visit_softmax_up_to_float(a.dtype, a.log, "softmax", [&](auto zero, auto formula) {
    using T = decltype(zero);
    using F = decltype(formula);
    T* const out = static_cast<T*>(a.out);
    const T* const in = static_cast<const T*>(a.in);
    const int cols = static_cast<int>(a.cols);
    const int64_t vectors = vectors_in(a.dtype, a.cols);
    const bool whole = whole_rows(a.in, a.in_stride, a.cols, a.dtype);
    if (vectors <= kMostVectorsOfShortRows)
      with_short_forward_shape(vectors, [&](auto s) {
        GB_LAUNCH((short_forward_kernel<T, F, s.lanes, s.vectors, s.rows>), short_grid(a.rows, s), kShortThreads,
                  0, a.stream, out, in, a.rows, cols, a.in_stride, whole);
      });
    else
      with_long_forward_shape<T>(vectors, [&](unsigned threads, auto per_thread) {
        GB_LAUNCH((long_forward_kernel<T, F, per_thread.value>), grid_of_rows(a.rows), threads, 0, a.stream, out,
                  in, a.rows, cols, a.in_stride, whole);
      });
  });
}

void backward(const SoftmaxBackwardArgs& a) {
  visit_softmax_up_to_float(a.dtype, a.log, "softmax_backward", [&](auto zero, auto formula) {
    using T = decltype(zero);
    using F = decltype(formula);
    T* const grad_input = static_cast<T*>(a.grad_input);
    const T *const grad = static_cast<const T*>(a.grad), *const output = static_cast<const T*>(a.output);
    const int cols = static_cast<int>(a.cols);
    const int64_t vectors = vectors_in(a.dtype, a.cols);
    const bool whole = whole_rows(a.output, a.cols, a.cols, a.dtype);
    if (vectors <= kMostVectorsOfShortRows)
      with_short_backward_shape(vectors, [&](auto s) {
        GB_LAUNCH((short_backward_kernel<T, F, s.lanes, s.vectors, s.rows>), short_grid(a.rows, s), kShortThreads,
                  0, a.stream, grad_input, grad, output, a.rows, cols, a.grad_stride, whole);
      });
    else
      GB_LAUNCH((long_backward_kernel<T, F, kBackwardVectors>), grid_of_rows(a.rows),
                long_threads(vectors, kBackwardVectors), 0, a.stream, grad_input, grad, output, a.rows, cols,
                a.grad_stride, whole);
  });
}

}  // namespace gb::cuda::softmax_05_vector_loads
