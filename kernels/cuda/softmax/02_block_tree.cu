// Softmax, rung 2: one block per row. Changed: 256 threads share a row and agree through shared memory.
//
// Thread t takes the elements t, t + 256, ...: neighbouring threads read neighbouring addresses, so a warp's load
// is a few whole memory lines. What one thread did alone, the sum over the row, is now a tree in shared memory:
// 256 partial results, 128, 64, ... 1, a barrier after each level. The row is still read three times, and the
// tree's nine barriers stop every warp until the slowest is there.
#include "kernels/cuda/softmax/formula.h"
#include "kernels/cuda/softmax/rows.h"
#include "kernels/cuda/softmax/rungs.h"

namespace gb::cuda::softmax_02_block_tree {
namespace {

constexpr unsigned kThreads = 256;  // a power of two

// The combination of all threads' values, in each of them. partial: [kThreads], shared; free again on return.
template <class C, class Op>
__device__ C tree(C value, C* partial, Op op) {
  // [anchor: tree]
  partial[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] = op(partial[threadIdx.x], partial[threadIdx.x + half]);
    __syncthreads();
  }
  const C result = partial[0];
  __syncthreads();  // nobody may write partial[0] before everybody has read it
  return result;
}

// out: [rows, cols]; in: [rows, cols], rows in_stride apart
template <class T, class F>
__global__ void __launch_bounds__(kThreads)
    forward_kernel(T* out, const T* in, int64_t rows, int64_t cols, int64_t in_stride) {
  using C = compute_t<T>;
  __shared__ C partial[kThreads];
  const int64_t row = block_number();
  if (row >= rows) return;
  const T* x = in + row * in_stride;  // [cols]
  T* y = out + row * cols;            // [cols]

  C max = -INFINITY;
  for (int64_t c = threadIdx.x; c < cols; c += kThreads) max = Larger()(static_cast<C>(x[c]), max);
  max = tree(max, partial, Larger());
  C sum = 0;
  for (int64_t c = threadIdx.x; c < cols; c += kThreads) sum += F::of(static_cast<C>(x[c]), max);
  const C of_row = F::of_row(tree(sum, partial, Plus()));
  for (int64_t c = threadIdx.x; c < cols; c += kThreads)
    y[c] = static_cast<T>(F::output(static_cast<C>(x[c]), max, of_row));
}

// grad_input, output: [rows, cols]; grad: [rows, cols], rows grad_stride apart
template <class T, class F>
__global__ void __launch_bounds__(kThreads)
    backward_kernel(T* grad_input, const T* grad, const T* output, int64_t rows, int64_t cols,
                    int64_t grad_stride) {
  using C = compute_t<T>;
  __shared__ C partial[kThreads];
  const int64_t row = block_number();
  if (row >= rows) return;
  const T* dy = grad + row * grad_stride;  // [cols]
  const T* y = output + row * cols;        // [cols]
  T* dx = grad_input + row * cols;         // [cols]

  C total = 0;
  for (int64_t c = threadIdx.x; c < cols; c += kThreads)
    total += F::term(static_cast<C>(dy[c]), static_cast<C>(y[c]));
  total = tree(total, partial, Plus());
  for (int64_t c = threadIdx.x; c < cols; c += kThreads)
    dx[c] = static_cast<T>(F::grad(static_cast<C>(dy[c]), static_cast<C>(y[c]), total));
}

}  // namespace

void forward(const SoftmaxArgs& a) {
  visit_softmax(a.dtype, a.log, "softmax", [&](auto zero, auto formula) {
    using T = decltype(zero);
    using F = decltype(formula);
    GB_LAUNCH((forward_kernel<T, F>), grid_of_rows(a.rows), kThreads, 0, a.stream,
              static_cast<T*>(a.out), static_cast<const T*>(a.in), a.rows, a.cols, a.in_stride);
  });
}

void backward(const SoftmaxBackwardArgs& a) {
  visit_softmax(a.dtype, a.log, "softmax_backward", [&](auto zero, auto formula) {
    using T = decltype(zero);
    using F = decltype(formula);
    GB_LAUNCH((backward_kernel<T, F>), grid_of_rows(a.rows), kThreads, 0, a.stream,
              static_cast<T*>(a.grad_input), static_cast<const T*>(a.grad), static_cast<const T*>(a.output),
              a.rows, a.cols, a.grad_stride);
  });
}

}  // namespace gb::cuda::softmax_02_block_tree
