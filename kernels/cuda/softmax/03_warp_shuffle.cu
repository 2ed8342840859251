// Softmax, rung 3: warp shuffles. Changed: lanes pass partial results from register to register.
//
// The 32 lanes of a warp run together, so a shuffle can hand a register to another lane without shared memory and
// without a barrier: five steps instead of five levels of the tree. A row of up to 1024 elements gets a warp and no
// barrier at all; a longer one eight warps, which meet at one barrier per reduction (across_block in rows.h). The row is
// still read three times; this rung takes rows of any length, and the rungs above leave to it what they cannot hold.
#include "kernels/cuda/softmax/formula.h"
#include "kernels/cuda/softmax/rows.h"
#include "kernels/cuda/softmax/rungs.h"

namespace gb::cuda::softmax_03_warp_shuffle {
namespace {

constexpr int kThreads = 256;  // of a block: 8 rows of one warp each, or one row

// The combination of `value` over the threads of a row. of_warp: [32], shared
template <int kThreadsPerRow, class C, class Op>
__device__ C across_row(C value, C identity, C* of_warp, Op op) {
  if constexpr (kThreadsPerRow == 32)
    return across_lanes<32>(value, op);
  else
    return across_block(value, identity, of_warp, op);
}

// out: [rows, cols]; in: [rows, cols], rows in_stride apart
template <class T, class F, int kThreadsPerRow>
__global__ void __launch_bounds__(kThreads)
    forward_kernel(T* out, const T* in, int64_t rows, int64_t cols, int64_t in_stride) {
  using C = compute_t<T>;
  __shared__ C of_warp[2][32];  // one array per reduction: no thread can be a barrier behind in the other
  const int64_t row = block_number() * (kThreads / kThreadsPerRow) + threadIdx.x / kThreadsPerRow;
  if (row >= rows) return;            // a whole warp, or the whole block
  const T* x = in + row * in_stride;  // [cols]
  T* y = out + row * cols;            // [cols]
  const int64_t first = threadIdx.x % kThreadsPerRow;

  C max = -INFINITY;
  for (int64_t c = first; c < cols; c += kThreadsPerRow) max = Larger()(static_cast<C>(x[c]), max);
  max = across_row<kThreadsPerRow>(max, static_cast<C>(-INFINITY), of_warp[0], Larger());
  C sum = 0;
  for (int64_t c = first; c < cols; c += kThreadsPerRow) sum += F::of(static_cast<C>(x[c]), max);
  const C of_row = F::of_row(across_row<kThreadsPerRow>(sum, C(0), of_warp[1], Plus()));
  for (int64_t c = first; c < cols; c += kThreadsPerRow)
    y[c] = static_cast<T>(F::output(static_cast<C>(x[c]), max, of_row));
}

// grad_input, output: [rows, cols]; grad: [rows, cols], rows grad_stride apart
template <class T, class F, int kThreadsPerRow>
__global__ void __launch_bounds__(kThreads)
    backward_kernel(T* grad_input, const T* grad, const T* output, int64_t rows, int64_t cols,
                    int64_t grad_stride) {
  using C = compute_t<T>;
  __shared__ C of_warp[32];
  const int64_t row = block_number() * (kThreads / kThreadsPerRow) + threadIdx.x / kThreadsPerRow;
  if (row >= rows) return;
  const T* dy = grad + row * grad_stride;  // [cols]
  const T* y = output + row * cols;        // [cols]
  T* dx = grad_input + row * cols;         // [cols]
  const int64_t first = threadIdx.x % kThreadsPerRow;

  C total = 0;
  for (int64_t c = first; c < cols; c += kThreadsPerRow)
    total += F::term(static_cast<C>(dy[c]), static_cast<C>(y[c]));
  total = across_row<kThreadsPerRow>(total, C(0), of_warp, Plus());
  for (int64_t c = first; c < cols; c += kThreadsPerRow)
    dx[c] = static_cast<T>(F::grad(static_cast<C>(dy[c]), static_cast<C>(y[c]), total));
}

// Calls launch(grid, std::integral_constant<int, threads per row>).
template <class Launch>
void with_shape(int64_t rows, int64_t cols, Launch launch) {
  if (cols <= 1024)
    launch(grid_of_rows((rows + kThreads / 32 - 1) / (kThreads / 32)), std::integral_constant<int, 32>());
  else
    launch(grid_of_rows(rows), std::integral_constant<int, kThreads>());
}

}  // namespace

void forward(const SoftmaxArgs& a) {
  visit_softmax(a.dtype, a.log, "softmax", [&](auto zero, auto formula) {
    using T = decltype(zero);
    using F = decltype(formula);
    with_shape(a.rows, a.cols, [&](dim3 grid, auto per_row) {
      GB_LAUNCH((forward_kernel<T, F, per_row.value>), grid, kThreads, 0, a.stream,
                static_cast<T*>(a.out), static_cast<const T*>(a.in), a.rows, a.cols, a.in_stride);
    });
  });
}

void backward(const SoftmaxBackwardArgs& a) {
  visit_softmax(a.dtype, a.log, "softmax_backward", [&](auto zero, auto formula) {
    using T = decltype(zero);
    using F = decltype(formula);
    with_shape(a.rows, a.cols, [&](dim3 grid, auto per_row) {
      GB_LAUNCH((backward_kernel<T, F, per_row.value>), grid, kThreads, 0, a.stream,
                static_cast<T*>(a.grad_input), static_cast<const T*>(a.grad), static_cast<const T*>(a.output),
                a.rows, a.cols, a.grad_stride);
    });
  });
}

}  // namespace gb::cuda::softmax_03_warp_shuffle
