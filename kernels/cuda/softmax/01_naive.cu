// Softmax, rung 1: one thread per row, as one would write it for one processor. The first rung.
//
// Each thread walks its row three times: the maximum, the sum of exponentials, the result. It is right, and
// it shows what the rungs above repair:
//   * neighbouring threads read addresses a whole row apart, so each 4-byte load fetches 32 bytes of memory;
//   * the row is read three times; exp is computed twice for each element;
//   * a matrix of 8 rows keeps 8 threads busy, of the many thousands a GPU has;
//   * adding up one element after the other rounds at each step: the error grows with the row.
#include "kernels/cuda/launch.h"
#include "kernels/cuda/softmax/formula.h"
#include "kernels/cuda/softmax/rungs.h"
#include "kernels/cuda/space.h"

namespace gb::cuda::softmax_01_naive {
namespace {

// out: [rows, cols]; in: [rows, cols], rows in_stride apart
template <class T, class F>
__global__ void forward_kernel(T* out, const T* in, int64_t rows, int64_t cols, int64_t in_stride) {
  using C = compute_t<T>;
  const int64_t row = thread_number();
  if (row >= rows) return;
  const T* x = in + row * in_stride;  // [cols]
  T* y = out + row * cols;            // [cols]

  // The maximum is subtracted so that the largest exponent is 0: exp cannot overflow, and the sum is at
  // least 1.
  C max = static_cast<C>(x[0]);
  for (int64_t c = 1; c < cols; ++c) {
    const C value = static_cast<C>(x[c]);
    if (value > max) max = value;
  }
  // [anchor: naive]
  C sum = 0;
  for (int64_t c = 0; c < cols; ++c) sum += F::of(static_cast<C>(x[c]), max);
  const C of_row = F::of_row(sum);
  for (int64_t c = 0; c < cols; ++c) y[c] = static_cast<T>(F::output(static_cast<C>(x[c]), max, of_row));
}

// grad_input, output: [rows, cols]; grad: [rows, cols], rows grad_stride apart
template <class T, class F>
__global__ void backward_kernel(T* grad_input, const T* grad, const T* output, int64_t rows, int64_t cols,
                                int64_t grad_stride) {
  using C = compute_t<T>;
  const int64_t row = thread_number();
  if (row >= rows) return;
  const T* dy = grad + row * grad_stride;  // [cols]
  const T* y = output + row * cols;        // [cols]
  T* dx = grad_input + row * cols;         // [cols]

  C total = 0;
  for (int64_t c = 0; c < cols; ++c) total += F::term(static_cast<C>(dy[c]), static_cast<C>(y[c]));
  for (int64_t c = 0; c < cols; ++c)
    dx[c] = static_cast<T>(F::grad(static_cast<C>(dy[c]), static_cast<C>(y[c]), total));
}

// Few threads per block, so that a small number of rows still spreads over several multiprocessors.
constexpr unsigned kRowsPerBlock = 64;
unsigned blocks_for_rows(int64_t rows) { return grid_of((rows + kRowsPerBlock - 1) / kRowsPerBlock); }

}  // namespace

void forward(const SoftmaxArgs& a) {
  visit_softmax(a.dtype, a.log, "softmax", [&](auto zero, auto formula) {
    using T = decltype(zero);
    using F = decltype(formula);
    GB_LAUNCH((forward_kernel<T, F>), blocks_for_rows(a.rows), kRowsPerBlock, 0, a.stream,
              static_cast<T*>(a.out), static_cast<const T*>(a.in), a.rows, a.cols, a.in_stride);
  });
}

void backward(const SoftmaxBackwardArgs& a) {
  visit_softmax(a.dtype, a.log, "softmax_backward", [&](auto zero, auto formula) {
    using T = decltype(zero);
    using F = decltype(formula);
    GB_LAUNCH((backward_kernel<T, F>), blocks_for_rows(a.rows), kRowsPerBlock, 0, a.stream,
              static_cast<T*>(a.grad_input), static_cast<const T*>(a.grad), static_cast<const T*>(a.output),
              a.rows, a.cols, a.grad_stride);
  });
}

}  // namespace gb::cuda::softmax_01_naive
